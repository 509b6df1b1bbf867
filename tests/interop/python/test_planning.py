"""Scans that the server plans, against those that PyIceberg plans itself: the files are the same."""

import datetime
import decimal
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pytest
from pydantic import ValidationError
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.exceptions import BadRequestError
from pyiceberg.expressions import (
    And,
    BooleanExpression,
    EqualTo,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    IsNaN,
    IsNull,
    LessThan,
    Not,
    NotEqualTo,
    NotIn,
    NotNaN,
    NotNull,
    NotStartsWith,
    Or,
    StartsWith,
)
from pyiceberg.table import DataScan, Table
from pyiceberg.transforms import BucketTransform, IdentityTransform

SALES = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("region", pa.string()),
        pa.field("day", pa.date32()),
        pa.field("at", pa.timestamp("us", tz="UTC")),
        pa.field("price", pa.decimal128(9, 2)),
        pa.field("weight", pa.float64()),
        pa.field("sold", pa.bool_()),
        pa.field("raw", pa.binary()),
    ]
)


def sales(*ids: int, region: str | None) -> pa.Table:
    """Rows of one region."""
    return pa.table(
        {
            "id": list(ids),
            "region": [region for _ in ids],
            "day": [datetime.date(2024, 2, 28) + datetime.timedelta(days=i) for i in ids],
            "at": [datetime.datetime(2024, 2, 28, i, 30, tzinfo=datetime.timezone.utc) for i in ids],
            "price": [decimal.Decimal(i * 100 - 350).scaleb(-2) for i in ids],
            "weight": [float("nan") if i == 9 else i / 8 for i in ids],
            "sold": [i % 2 == 0 for i in ids],
            "raw": [bytes([i * 16, 255]) for i in ids],
        },
        schema=SALES,
    )


@pytest.fixture
def both(
    connect: Callable[..., RestCatalog], catalog: RestCatalog, namespace: str
) -> Iterator[tuple[Table, Table]]:
    """A partitioned table of several snapshots: planned here, and planned there."""
    table = catalog.create_table((namespace, "t"), SALES)
    with table.update_spec() as update:
        update.add_field("region", IdentityTransform(), "region")
    table.append(sales(1, 2, 3, region="eu"))
    table.append(sales(4, 5, 6, region="us"))
    table.append(sales(7, region="africa"))
    with table.update_spec() as update:
        update.add_field("id", BucketTransform(4), "bucket")
    with table.update_schema() as change:
        change.rename_column("sold", "gone")
    table.append(sales(8, 9, region="asia").rename_columns({"sold": "gone"}))
    table.delete("id == 5")
    planner = connect(**{"scan-planning-mode": "server"})
    assert planner.supports_server_side_planning()
    yield catalog.load_table((namespace, "t")), planner.load_table((namespace, "t"))


def described(scan: DataScan) -> list[tuple[Any, ...]]:
    return sorted(
        (
            task.file.file_path,
            task.file.file_format,
            task.file.spec_id,
            str(task.file.partition),
            task.file.record_count,
            task.file.file_size_in_bytes,
            sorted(d.file_path for d in task.delete_files),
        )
        for task in scan.plan_files()
    )


def rows(scan: DataScan) -> list[str]:
    """As text, since a NaN is not equal to itself."""
    return sorted(repr(row) for row in scan.to_arrow().to_pylist())


FILTERS: list[BooleanExpression] = [
    EqualTo("region", "eu"),
    NotEqualTo("region", "eu"),
    IsNull("region"),
    NotNull("region"),
    In("region", {"us", "asia"}),
    NotIn("region", {"us", "eu"}),
    StartsWith("region", "a"),
    NotStartsWith("region", "e"),
    In("id", {1, 8}),
    And(EqualTo("region", "us"), GreaterThan("id", 4)),
    Or(EqualTo("region", "asia"), LessThan("id", 2)),
    Not(Or(EqualTo("region", "eu"), GreaterThanOrEqual("id", 8))),
    LessThan("day", "2024-03-03"),
    GreaterThan("at", "2024-02-28T07:00:00+00:00"),
    LessThan("price", decimal.Decimal("0.25")),
    GreaterThan("weight", 0.9),
    IsNaN("weight"),
    NotNaN("weight"),
    EqualTo("gone", True),
    GreaterThan("raw", b"\x70"),
]


def test_filters(both: tuple[Table, Table]) -> None:
    here, there = both
    for row_filter in FILTERS:
        own, servers = here.scan(row_filter=row_filter), there.scan(row_filter=row_filter)
        assert described(servers) == described(own), row_filter
        assert rows(servers) == rows(own), row_filter


def test_columns_and_cases(both: tuple[Table, Table]) -> None:
    here, there = both
    for asked in (
        {"selected_fields": ("id", "price")},
        {"selected_fields": ("region",), "row_filter": "id > 3"},
        {"row_filter": "REGION == 'us'", "case_sensitive": False},
    ):
        assert described(there.scan(**asked)) == described(here.scan(**asked)), asked
        assert rows(there.scan(**asked)) == rows(here.scan(**asked)), asked
    assert there.scan(limit=2).to_arrow().num_rows == 2


def test_every_snapshot(both: tuple[Table, Table]) -> None:
    here, there = both
    for snapshot in here.snapshots():
        asked = {"snapshot_id": snapshot.snapshot_id, "row_filter": "id != 2"}
        assert described(there.scan(**asked)) == described(here.scan(**asked))
        assert rows(there.scan(**asked)) == rows(here.scan(**asked))


def test_a_null_in_a_partition(both: tuple[Table, Table]) -> None:
    """PyIceberg reads none in a plan of the server's. When this fails it has learnt to."""
    here, there = both
    here.append(sales(10, region=None).rename_columns({"sold": "gone"}))
    there.refresh()
    assert len(described(here.scan(row_filter=IsNull("region")))) == 1
    with pytest.raises(ValidationError):
        described(there.scan(row_filter=IsNull("region")))
    assert described(there.scan(row_filter="region == 'eu'")) == described(
        here.scan(row_filter="region == 'eu'")
    )


def test_a_filter_that_cannot_be_meant(both: tuple[Table, Table]) -> None:
    with pytest.raises((BadRequestError, ValueError)):
        list(both[1].scan(row_filter="day == 'soon'").plan_files())
