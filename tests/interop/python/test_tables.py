"""Tables: their life in the catalog, and their schema, partitions and properties."""

import time

import pyarrow as pa
import pytest
from conftest import PEOPLE, named, people
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.exceptions import (
    CommitFailedException,
    NoSuchNamespaceError,
    NoSuchTableError,
    TableAlreadyExistsError,
)
from pyiceberg.transforms import BucketTransform, IdentityTransform
from pyiceberg.types import LongType, StringType


def test_create_load_list_drop(catalog: RestCatalog, namespace: str) -> None:
    created = catalog.create_table((namespace, "t"), PEOPLE, properties={"owner": "Ada"})
    loaded = catalog.load_table((namespace, "t"))
    assert loaded.metadata == created.metadata
    assert loaded.properties["owner"] == "Ada"
    assert [f.name for f in loaded.schema().fields] == ["id", "name"]
    assert catalog.list_tables(namespace) == [(namespace, "t")]
    with pytest.raises(TableAlreadyExistsError):
        catalog.create_table((namespace, "t"), PEOPLE)

    catalog.drop_table((namespace, "t"))
    assert not catalog.table_exists((namespace, "t"))
    with pytest.raises(NoSuchTableError):
        catalog.load_table((namespace, "t"))
    with pytest.raises(NoSuchTableError):
        catalog.drop_table((namespace, "t"))
    with pytest.raises(NoSuchNamespaceError):
        catalog.create_table((namespace + "_none", "t"), PEOPLE)


def test_create_in_a_transaction(catalog: RestCatalog, namespace: str, rows: pa.Table) -> None:
    with catalog.create_table_transaction((namespace, "t"), PEOPLE) as transaction:
        assert not catalog.table_exists((namespace, "t"))
        transaction.set_properties(owner="Ada")
        transaction.append(rows)
    table = catalog.load_table((namespace, "t"))
    assert table.properties["owner"] == "Ada"
    assert named(table.scan().to_arrow()) == named(rows)


def test_names_that_need_encoding(catalog: RestCatalog, namespace: str) -> None:
    for name in ("with space", "with+plus", "änderung ✓"):
        catalog.create_table((namespace, name), PEOPLE)
        assert catalog.load_table((namespace, name)).name()[-1] == name
    assert len(catalog.list_tables(namespace)) == 3


def test_names_that_look_encoded(catalog: RestCatalog, namespace: str) -> None:
    for name in ("with%percent", "with%20space", "a/b"):
        catalog.create_table((namespace, name), PEOPLE)
        assert catalog.load_table((namespace, name)).name()[-1] == name
    assert len(catalog.list_tables(namespace)) == 3


def test_schema_evolution(catalog: RestCatalog, namespace: str, rows: pa.Table) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE)
    table.append(rows)
    with table.update_schema() as update:
        update.add_column("age", LongType(), doc="in years")
        update.rename_column("name", "called")
    with table.update_schema() as update:
        update.add_column("born", StringType())
        update.delete_column("age")

    reloaded = catalog.load_table((namespace, "t"))
    assert [f.name for f in reloaded.schema().fields] == ["id", "called", "born"]
    assert len(reloaded.schemas()) == 3
    old = reloaded.scan().to_arrow()
    assert sorted(old.column("called").to_pylist()) == ["Ada", "Edsger", "Grace"]
    assert old.column("born").null_count == 3


def test_a_stale_schema_change_is_refused(catalog: RestCatalog, namespace: str) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE)
    stale = catalog.load_table((namespace, "t"))
    table.update_schema().add_column("one", LongType()).commit()
    with pytest.raises(CommitFailedException):
        stale.update_schema().add_column("two", LongType()).commit()
    fields = catalog.load_table((namespace, "t")).schema().fields
    assert [f.name for f in fields] == ["id", "name", "one"]


def test_partitions_and_order(catalog: RestCatalog, namespace: str, rows: pa.Table) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE)
    with table.update_spec() as update:
        update.add_field("name", IdentityTransform(), "by_name")
        update.add_field("id", BucketTransform(4), "by_id")
    with table.update_sort_order() as order:
        order.desc("id", IdentityTransform())
    table.append(rows)

    reloaded = catalog.load_table((namespace, "t"))
    assert [f.name for f in reloaded.spec().fields] == ["by_name", "by_id"]
    assert len(reloaded.sort_order().fields) == 1
    found = reloaded.scan(row_filter="name == 'Grace'")
    assert len(list(found.plan_files())) == 1
    assert named(found.to_arrow()) == {2: "Grace"}


def test_properties(catalog: RestCatalog, namespace: str) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE)
    with table.transaction() as transaction:
        transaction.set_properties({"a": "1", "b": "2"})
        transaction.remove_properties("a")
    properties = catalog.load_table((namespace, "t")).properties
    assert properties["b"] == "2"
    assert "a" not in properties


def test_rename(catalog: RestCatalog, namespace: str, rows: pa.Table) -> None:
    other = namespace + "_other"
    catalog.create_namespace(other)
    table = catalog.create_table((namespace, "t"), PEOPLE)
    table.append(rows)
    renamed = catalog.rename_table((namespace, "t"), (other, "u"))
    assert renamed.metadata.table_uuid == table.metadata.table_uuid
    assert not catalog.table_exists((namespace, "t"))
    assert named(catalog.load_table((other, "u")).scan().to_arrow()) == named(rows)

    catalog.create_table((namespace, "t"), PEOPLE)
    with pytest.raises(TableAlreadyExistsError):
        catalog.rename_table((other, "u"), (namespace, "t"))
    with pytest.raises(NoSuchTableError):
        catalog.rename_table((other, "none"), (namespace, "v"))
    catalog.drop_table((other, "u"))
    catalog.drop_namespace(other)


def test_register(catalog: RestCatalog, namespace: str, rows: pa.Table) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE)
    table.append(rows)
    catalog.drop_table((namespace, "t"))
    again = catalog.register_table((namespace, "again"), table.metadata_location)
    assert again.metadata_location == table.metadata_location
    assert named(again.scan().to_arrow()) == named(rows)
    again.append(people((4, "Barbara")))
    assert len(catalog.load_table((namespace, "again")).snapshots()) == 2


def test_purge(catalog: RestCatalog, namespace: str, rows: pa.Table) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE)
    table.append(rows)
    data = [task.file.file_path for task in table.scan().plan_files()]
    assert all(table.io.new_input(path).exists() for path in data)
    catalog.purge_table((namespace, "t"))
    assert not catalog.table_exists((namespace, "t"))
    # The catalog has forgotten the table; when its files go is the server's affair.
    deadline = time.monotonic() + 30
    while any(table.io.new_input(path).exists() for path in data):
        assert time.monotonic() < deadline, f"still there: {data}"
        time.sleep(0.05)
