"""Views, as far as PyIceberg goes: it neither replaces nor renames them."""

import pytest
from conftest import PEOPLE
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.exceptions import NoSuchViewError, TableAlreadyExistsError, ViewAlreadyExistsError
from pyiceberg.schema import Schema
from pyiceberg.types import LongType, NestedField
from pyiceberg.view.metadata import SQLViewRepresentation, ViewVersion

ONE = Schema(NestedField(1, "id", LongType(), required=False))


def version(namespace: str, sql: str) -> ViewVersion:
    return ViewVersion(
        version_id=1,
        schema_id=0,
        representations=[SQLViewRepresentation(type="sql", sql=sql, dialect="spark")],
        default_namespace=(namespace,),
    )


def test_create_load_list_drop(catalog: RestCatalog, namespace: str) -> None:
    view = (namespace, "v")
    catalog.create_view(view, ONE, version(namespace, "select 1 id"), properties={"owner": "Ada"})
    loaded = catalog.load_view(view)
    representation = loaded.sql_for("spark")
    assert representation is not None and representation.sql == "select 1 id"
    assert loaded.properties["owner"] == "Ada"
    assert catalog.view_exists(view)
    assert catalog.list_views(namespace) == [view]
    assert catalog.list_tables(namespace) == []
    with pytest.raises(ViewAlreadyExistsError):
        catalog.create_view(view, ONE, version(namespace, "select 2 id"))

    catalog.drop_view(view)
    assert not catalog.view_exists(view)
    with pytest.raises(NoSuchViewError):
        catalog.load_view(view)
    with pytest.raises(NoSuchViewError):
        catalog.drop_view(view)


def test_views_and_tables_share_names(catalog: RestCatalog, namespace: str) -> None:
    catalog.create_view((namespace, "v"), ONE, version(namespace, "select 1 id"))
    assert not catalog.table_exists((namespace, "v"))
    with pytest.raises(TableAlreadyExistsError):
        catalog.create_table((namespace, "v"), PEOPLE)
