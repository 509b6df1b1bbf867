CREATE TABLE IF NOT EXISTS iceberg_idempotency_key_meta (
	idempotency_key VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	operation_binding MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	principal_hash VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	request_hash VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	owner VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	attempt INT NOT NULL,
	lease_expires_at BIGINT,
	http_status INT,
	response_headers MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
	response_encoding VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin,
	response_summary LONGBLOB,
	audit_info MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	created_at BIGINT NOT NULL,
	finalized_at BIGINT,
	expires_at BIGINT NOT NULL,
	PRIMARY KEY (idempotency_key),
	KEY iceberg_idempotency_key_meta_expires_at (expires_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;
