"""The catalog under test, and a namespace of its own for every test."""

import os
import uuid
from collections.abc import Callable, Iterator

import pyarrow as pa
import pytest
from pyiceberg.catalog import load_catalog
from pyiceberg.catalog.rest import RestCatalog


@pytest.fixture
def connect() -> Iterator[Callable[..., RestCatalog]]:
    """Opens clients of the server: one for each thread that needs its own."""
    clients: list[RestCatalog] = []

    def open_client(**properties: str) -> RestCatalog:
        server = {
            "uri": os.environ["ONCEBERG_TEST_URL"],
            "warehouse": os.environ.get("ONCEBERG_TEST_WAREHOUSE", "warehouse"),
        }
        client = load_catalog("interop", type="rest", **(server | properties))
        assert isinstance(client, RestCatalog)
        clients.append(client)
        return client

    yield open_client
    for client in clients:
        client.close()


@pytest.fixture
def catalog(connect: Callable[..., RestCatalog]) -> RestCatalog:
    return connect()


@pytest.fixture
def namespace(catalog: RestCatalog) -> Iterator[str]:
    name = f"py_{uuid.uuid4().hex}"
    catalog.create_namespace(name)
    yield name
    for table in catalog.list_tables(name):
        catalog.drop_table(table)
    for view in catalog.list_views(name):
        catalog.drop_view(view)
    catalog.drop_namespace(name)


@pytest.fixture
def rows() -> pa.Table:
    return people((1, "Ada"), (2, "Grace"), (3, "Edsger"))


PEOPLE = pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("name", pa.string())])


def people(*who: tuple[int, str]) -> pa.Table:
    """A table of ids and names."""
    return pa.table({"id": [i for i, _ in who], "name": [n for _, n in who]}, schema=PEOPLE)


def named(table: pa.Table) -> dict[int, str]:
    """The names by id, whatever the order of the rows; an id that comes twice is an error."""
    ids = table.column("id").to_pylist()
    assert len(ids) == len(set(ids)), f"rows came back twice: {sorted(ids)}"
    return dict(zip(ids, table.column("name").to_pylist(), strict=True))
