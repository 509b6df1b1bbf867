"""Namespaces, as PyIceberg sees them."""

import pytest
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.exceptions import (
    NamespaceAlreadyExistsError,
    NamespaceNotEmptyError,
    NoSuchNamespaceError,
)
from conftest import PEOPLE


def test_create_list_drop(catalog: RestCatalog, namespace: str) -> None:
    assert (namespace,) in catalog.list_namespaces()
    assert catalog.namespace_exists(namespace)
    with pytest.raises(NamespaceAlreadyExistsError):
        catalog.create_namespace(namespace)
    catalog.create_namespace_if_not_exists(namespace)

    catalog.create_namespace(namespace + "_other")
    catalog.drop_namespace(namespace + "_other")
    assert not catalog.namespace_exists(namespace + "_other")
    with pytest.raises(NoSuchNamespaceError):
        catalog.drop_namespace(namespace + "_other")


def test_levels(catalog: RestCatalog, namespace: str) -> None:
    child, grandchild = (namespace, "child"), (namespace, "child", "grandchild")
    catalog.create_namespace(child)
    catalog.create_namespace(grandchild)
    assert catalog.list_namespaces(namespace) == [child]
    assert catalog.list_namespaces(child) == [grandchild]
    assert catalog.list_namespaces(grandchild) == []
    catalog.create_table((*grandchild, "t"), PEOPLE)
    assert catalog.list_tables(grandchild) == [(*grandchild, "t")]
    catalog.drop_table((*grandchild, "t"))
    catalog.drop_namespace(grandchild)
    catalog.drop_namespace(child)


def test_properties(catalog: RestCatalog, namespace: str) -> None:
    catalog.update_namespace_properties(namespace, updates={"owner": "Ada", "team": "one"})
    summary = catalog.update_namespace_properties(
        namespace, removals={"team", "missing"}, updates={"owner": "Grace"}
    )
    assert summary.updated == ["owner"]
    assert summary.removed == ["team"]
    assert summary.missing == ["missing"]
    properties = catalog.load_namespace_properties(namespace)
    assert properties["owner"] == "Grace"
    assert "team" not in properties
    with pytest.raises(NoSuchNamespaceError):
        catalog.load_namespace_properties(namespace + "_none")


def test_not_empty(catalog: RestCatalog, namespace: str) -> None:
    catalog.create_table((namespace, "t"), PEOPLE)
    with pytest.raises(NamespaceNotEmptyError):
        catalog.drop_namespace(namespace)
    assert catalog.table_exists((namespace, "t"))
