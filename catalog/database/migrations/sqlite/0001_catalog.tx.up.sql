CREATE TABLE IF NOT EXISTS iceberg_namespaces (
	id TEXT NOT NULL PRIMARY KEY,
	name TEXT NOT NULL,
	properties TEXT NOT NULL
) STRICT;
--bun:split
CREATE UNIQUE INDEX IF NOT EXISTS iceberg_namespaces_name ON iceberg_namespaces (name);
--bun:split
CREATE TABLE IF NOT EXISTS iceberg_tables (
	id TEXT NOT NULL PRIMARY KEY,
	namespace_id TEXT NOT NULL REFERENCES iceberg_namespaces (id),
	name TEXT NOT NULL,
	kind TEXT NOT NULL,
	metadata_location TEXT NOT NULL,
	uuid TEXT NOT NULL,
	version INTEGER NOT NULL
) STRICT;
--bun:split
CREATE UNIQUE INDEX IF NOT EXISTS iceberg_tables_name ON iceberg_tables (namespace_id, name);
--bun:split
CREATE TABLE IF NOT EXISTS iceberg_deletions (
	id TEXT NOT NULL PRIMARY KEY,
	what TEXT NOT NULL,
	location TEXT NOT NULL,
	attempts INTEGER NOT NULL,
	due_at INTEGER NOT NULL
) STRICT;
--bun:split
CREATE INDEX IF NOT EXISTS iceberg_deletions_due_at ON iceberg_deletions (due_at);
