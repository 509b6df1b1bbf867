CREATE TABLE IF NOT EXISTS iceberg_namespaces (
	id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	name VARBINARY(2048) NOT NULL,
	properties MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	PRIMARY KEY (id),
	UNIQUE KEY iceberg_namespaces_name (name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;
--bun:split
CREATE TABLE IF NOT EXISTS iceberg_tables (
	id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	namespace_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	name VARBINARY(1024) NOT NULL,
	kind VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	metadata_location MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	uuid MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	version BIGINT NOT NULL,
	PRIMARY KEY (id),
	UNIQUE KEY iceberg_tables_name (namespace_id, name),
	CONSTRAINT iceberg_tables_namespace FOREIGN KEY (namespace_id) REFERENCES iceberg_namespaces (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;
--bun:split
CREATE TABLE IF NOT EXISTS iceberg_deletions (
	id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	what VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	location MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	attempts INT NOT NULL,
	due_at BIGINT NOT NULL,
	PRIMARY KEY (id),
	KEY iceberg_deletions_due_at (due_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;
