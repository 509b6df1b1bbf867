package tables_test

// oldest is metadata as the first writers of version 1 made it: one schema, one spec without ids, no orders, no refs, a
// snapshot with its manifests inside, a number for a snapshot that may be absent, and no uuid.
const oldest = `{
  "format-version": 1,
  "location": "s3://bucket/old",
  "last-updated-ms": 1602638573590,
  "last-column-id": 3,
  "schema": {"type": "struct", "fields": [
    {"id": 1, "name": "x", "required": true, "type": "long"},
    {"id": 2, "name": "y", "required": true, "type": "long", "doc": "comment"},
    {"id": 3, "name": "z", "required": true, "type": "long"}]},
  "partition-spec": [{"name": "x", "transform": "identity", "source-id": 1}],
  "properties": {"owner": "old"},
  "current-snapshot-id": 9223372036854775807,
  "snapshots": [{"snapshot-id": 9223372036854775807, "timestamp-ms": 1602638573000,
    "manifests": ["s3://bucket/old/m1.avro"], "vendor.note": {"kept": 12345678901234567890}}],
  "vendor-extension": {"a": [1, 2.50, 1e3]}
}`

// newest is metadata of version 3 by an engine that knows more than this catalog: unknown members at every level.
const newest = `{
  "format-version": 3,
  "table-uuid": "9C12D441-03FE-4693-9A96-A0705DDF69C1",
  "location": "abfss://c@a.dfs.core.windows.net/t",
  "last-sequence-number": 9007199254740993,
  "last-updated-ms": 1700000000000,
  "last-column-id": 3,
  "next-row-id": 9007199254740995,
  "current-schema-id": 1,
  "schemas": [
    {"type": "struct", "schema-id": 0, "fields": [{"id": 1, "name": "a", "required": true, "type": "long"}]},
    {"type": "struct", "schema-id": 1, "identifier-field-ids": [1], "x-schema": true, "fields": [
      {"id": 1, "name": "a", "required": true, "type": "long", "initial-default": 9007199254740997, "x-field": {"mask": "***"}},
      {"id": 2, "name": "v", "required": false, "type": "variant"},
      {"id": 3, "name": "ns", "required": false, "type": "timestamptz_ns"}]}],
  "default-spec-id": 0,
  "partition-specs": [{"spec-id": 0, "x-spec": 1, "fields": [
    {"source-id": 1, "field-id": 1000, "name": "a_b", "transform": "bucket[8]", "x-part": "p"}]}],
  "last-partition-id": 1000,
  "default-sort-order-id": 1,
  "sort-orders": [{"order-id": 1, "x-order": null, "fields": [
    {"transform": "identity", "source-id": 1, "direction": "asc", "null-order": "nulls-first", "x-sort": 7}]}],
  "properties": {"k": "\u00fcnic\u00f6de \ud83d\ude00"},
  "current-snapshot-id": 2,
  "refs": {"main": {"snapshot-id": 2, "type": "branch", "x-ref": "r"}, "t": {"snapshot-id": 1, "type": "tag"}},
  "snapshots": [
    {"snapshot-id": 1, "sequence-number": 1, "timestamp-ms": 1699999999000, "manifest-list": "l1",
      "summary": {"operation": "append", "x-summary": "s"}, "schema-id": 0, "first-row-id": 0, "added-rows": 5},
    {"snapshot-id": 2, "parent-snapshot-id": 1, "sequence-number": 2, "timestamp-ms": 1699999999500, "manifest-list": "l2",
      "summary": {"operation": "quantum-leap"}, "schema-id": 1, "first-row-id": 5, "added-rows": 5, "key-id": "k1",
      "x-snapshot": {"big": 9223372036854775808}}],
  "snapshot-log": [{"snapshot-id": 1, "timestamp-ms": 1699999999000, "x-log": 1}, {"snapshot-id": 2, "timestamp-ms": 1699999999500}],
  "metadata-log": [{"metadata-file": "m0", "timestamp-ms": 1699999998000, "x-log": 2}],
  "statistics": [{"snapshot-id": 1, "statistics-path": "p", "file-size-in-bytes": 1, "file-footer-size-in-bytes": 1,
    "blob-metadata": [], "x-stat": 3}],
  "encryption-keys": [{"key-id": "k1", "encrypted-key-metadata": "AAAA", "x-key": 4}],
  "x-table": {"lineage": [1.000, {"deep": 9007199254740999}]}
}`
