CREATE TABLE IF NOT EXISTS iceberg_namespaces (
	id VARCHAR(36) NOT NULL PRIMARY KEY,
	name TEXT COLLATE "C" NOT NULL,
	properties TEXT NOT NULL
);
--bun:split
CREATE UNIQUE INDEX IF NOT EXISTS iceberg_namespaces_name ON iceberg_namespaces (name);
--bun:split
CREATE TABLE IF NOT EXISTS iceberg_tables (
	id VARCHAR(36) NOT NULL PRIMARY KEY,
	namespace_id VARCHAR(36) NOT NULL REFERENCES iceberg_namespaces (id),
	name TEXT COLLATE "C" NOT NULL,
	kind VARCHAR(8) NOT NULL,
	metadata_location TEXT NOT NULL,
	uuid TEXT NOT NULL,
	version BIGINT NOT NULL
);
--bun:split
CREATE UNIQUE INDEX IF NOT EXISTS iceberg_tables_name ON iceberg_tables (namespace_id, name);
--bun:split
CREATE TABLE IF NOT EXISTS iceberg_deletions (
	id VARCHAR(36) NOT NULL PRIMARY KEY,
	what VARCHAR(8) NOT NULL,
	location TEXT NOT NULL,
	attempts INT NOT NULL,
	due_at BIGINT NOT NULL
);
--bun:split
CREATE INDEX IF NOT EXISTS iceberg_deletions_due_at ON iceberg_deletions (due_at);
