"""Rows written and read back, through everything that makes a snapshot."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
from conftest import PEOPLE, named, people
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.exceptions import CommitFailedException


def test_append(catalog: RestCatalog, namespace: str, rows: pa.Table) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE)
    table.append(rows, snapshot_properties={"by": "interop"})
    table.append(people((4, "Barbara")))
    reloaded = catalog.load_table((namespace, "t"))
    assert named(reloaded.scan().to_arrow()) == {1: "Ada", 2: "Grace", 3: "Edsger", 4: "Barbara"}
    first, second = reloaded.snapshots()
    assert first.summary is not None and first.summary["by"] == "interop"
    assert second.parent_snapshot_id == first.snapshot_id
    assert named(reloaded.scan(snapshot_id=first.snapshot_id).to_arrow()) == named(rows)


def test_overwrite(catalog: RestCatalog, namespace: str, rows: pa.Table) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE)
    table.append(rows)
    table.overwrite(people((2, "Grace Hopper")), overwrite_filter="id == 2")
    assert named(catalog.load_table((namespace, "t")).scan().to_arrow()) == {
        1: "Ada",
        2: "Grace Hopper",
        3: "Edsger",
    }
    table.refresh().overwrite(people((9, "Nobody")))
    assert named(catalog.load_table((namespace, "t")).scan().to_arrow()) == {9: "Nobody"}


def test_delete_and_upsert(catalog: RestCatalog, namespace: str, rows: pa.Table) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE)
    table.append(rows)
    table.delete("id == 1")
    table.upsert(people((3, "E. W. Dijkstra"), (4, "Barbara")), join_cols=["id"])
    assert named(catalog.load_table((namespace, "t")).scan().to_arrow()) == {
        2: "Grace",
        3: "E. W. Dijkstra",
        4: "Barbara",
    }


def test_an_upgrade(catalog: RestCatalog, namespace: str, rows: pa.Table) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE, properties={"format-version": "1"})
    assert table.format_version == 1
    table.append(rows)
    with table.transaction() as transaction:
        transaction.upgrade_table_version(format_version=2)
    reloaded = catalog.load_table((namespace, "t"))
    assert reloaded.format_version == 2
    assert named(reloaded.scan().to_arrow()) == named(rows)


def test_a_scan_that_the_server_plans(
    connect: Callable[..., RestCatalog], catalog: RestCatalog, namespace: str, rows: pa.Table
) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE)
    table.append(rows)
    table.append(people((4, "Barbara")))
    planner = connect(**{"scan-planning-mode": "server"})
    assert planner.supports_server_side_planning()
    scan = planner.load_table((namespace, "t")).scan(row_filter="id > 3")
    assert len(list(scan.plan_files())) == 1
    assert named(scan.to_arrow()) == {4: "Barbara"}


def test_branches_and_tags(catalog: RestCatalog, namespace: str, rows: pa.Table) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE)
    table.append(rows)
    snapshot = table.current_snapshot()
    assert snapshot is not None
    table.manage_snapshots().create_tag(snapshot.snapshot_id, "release").create_branch(
        snapshot.snapshot_id, "work"
    ).commit()
    table.append(people((4, "Barbara")), branch="work")
    table.append(people((5, "Donald")))

    reloaded = catalog.load_table((namespace, "t"))
    assert set(reloaded.refs()) == {"main", "release", "work"}
    assert 4 not in named(reloaded.scan().to_arrow())
    assert set(named(reloaded.scan().use_ref("work").to_arrow())) == {1, 2, 3, 4}
    assert set(named(reloaded.scan().use_ref("release").to_arrow())) == {1, 2, 3}
    reloaded.manage_snapshots().remove_tag("release").remove_branch("work").commit()
    assert set(catalog.load_table((namespace, "t")).refs()) == {"main"}


def test_concurrent_appends(
    connect: Callable[..., RestCatalog], catalog: RestCatalog, namespace: str
) -> None:
    """Whatever loses a race comes back: in the end every row is there, once."""
    writers, appends = 6, 4
    catalog.create_table((namespace, "t"), PEOPLE)

    def append_some(writer: int) -> None:
        table = connect().load_table((namespace, "t"))
        for n in range(appends):
            row = people((writer * appends + n, f"writer {writer}"))
            for _ in range(50):
                try:
                    table.append(row)
                    break
                except CommitFailedException:
                    table.refresh()
            else:
                raise AssertionError(f"writer {writer} lost every race")

    with ThreadPoolExecutor(writers) as threads:
        list(threads.map(append_some, range(writers)))

    table = catalog.load_table((namespace, "t"))
    assert set(named(table.scan().to_arrow())) == set(range(writers * appends))
    assert len(table.snapshots()) == writers * appends
    parents = [s.parent_snapshot_id for s in table.snapshots()]
    assert len(set(parents)) == len(parents), "two snapshots have the same parent"
