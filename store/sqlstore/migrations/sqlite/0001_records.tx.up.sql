CREATE TABLE IF NOT EXISTS iceberg_idempotency_key_meta (
	idempotency_key TEXT NOT NULL PRIMARY KEY,
	operation_binding TEXT NOT NULL,
	principal_hash TEXT NOT NULL,
	request_hash TEXT NOT NULL,
	owner TEXT NOT NULL,
	attempt INTEGER NOT NULL,
	lease_expires_at INTEGER,
	http_status INTEGER,
	response_headers TEXT,
	response_encoding TEXT,
	response_summary BLOB,
	audit_info TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	finalized_at INTEGER,
	expires_at INTEGER NOT NULL
) STRICT;
--bun:split
CREATE INDEX IF NOT EXISTS iceberg_idempotency_key_meta_expires_at
	ON iceberg_idempotency_key_meta (expires_at);
