CREATE TABLE IF NOT EXISTS iceberg_idempotency_migrations (
	id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
	name VARCHAR(190) NOT NULL UNIQUE,
	group_id BIGINT NOT NULL,
	migrated_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)
) ENGINE = InnoDB;
--bun:split
CREATE TABLE IF NOT EXISTS iceberg_idempotency_migration_lock (
	id INT NOT NULL PRIMARY KEY
) ENGINE = InnoDB;
--bun:split
INSERT IGNORE INTO iceberg_idempotency_migration_lock (id) VALUES (1);
