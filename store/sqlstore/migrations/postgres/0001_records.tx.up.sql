CREATE TABLE IF NOT EXISTS iceberg_idempotency_key_meta (
	idempotency_key VARCHAR(36) NOT NULL PRIMARY KEY,
	operation_binding TEXT NOT NULL,
	principal_hash VARCHAR(64) NOT NULL,
	request_hash VARCHAR(64) NOT NULL,
	owner VARCHAR(64) NOT NULL,
	attempt INT NOT NULL,
	lease_expires_at BIGINT,
	http_status INT,
	response_headers TEXT,
	response_encoding VARCHAR(32),
	response_summary BYTEA,
	audit_info TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	finalized_at BIGINT,
	expires_at BIGINT NOT NULL
);
--bun:split
CREATE INDEX IF NOT EXISTS iceberg_idempotency_key_meta_expires_at
	ON iceberg_idempotency_key_meta (expires_at ASC);
