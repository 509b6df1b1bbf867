package sqlstore

import "strings"

// The statements that all databases share. ?now is the database's clock; the
// other names are fields of the argument.
const (
	// verdicts are the columns by which a read row says what it is.
	verdicts = `expires_at <= ?now AS expired, ` + isAbandoned + ` AS abandoned`

	isAbandoned = `(http_status IS NULL AND lease_expires_at <= ?now)`

	// spent is a row that may be deleted. A running lease keeps a row even
	// where somebody has edited expires_at.
	spent = `expires_at <= ?now AND (http_status IS NOT NULL OR lease_expires_at <= ?now)`

	finalizeSQL = `UPDATE ` + table + ` SET
		http_status = ?status, response_headers = ?header, response_encoding = ?encoding,
		response_summary = ?payload, lease_expires_at = NULL, finalized_at = ?now, expires_at = ?now + ?retain
		WHERE ` + mine

	releaseSQL = `DELETE FROM ` + table + ` WHERE ` + mine

	// renewSQL moves the end of the retention along with the end of the lease,
	// so that it counts from the last renewal, and never back. MySQL assigns
	// from left to right: expires_at needs the old lease.
	renewSQL = `UPDATE ` + table + ` SET
		expires_at = expires_at + CASE WHEN ?now + ?lease > lease_expires_at
			THEN ?now + ?lease - lease_expires_at ELSE 0 END,
		lease_expires_at = ?now + ?lease
		WHERE ` + mine

	mine = `idempotency_key = ?key AND owner = ?owner AND http_status IS NULL`

	spentKeysSQL = `SELECT idempotency_key FROM ` + table + ` WHERE ` + spent + ` ORDER BY expires_at LIMIT ?`
	purgeSQL     = `DELETE FROM ` + table + ` WHERE idempotency_key IN (?) AND ` + spent
)

// The insert half of a put. Its columns, except the key and those for which a
// takeover keeps something of the old row, are replaced one for one.
const insertSQL = ` (idempotency_key, operation_binding, principal_hash, request_hash, owner, attempt,
	lease_expires_at, http_status, response_headers, response_encoding, response_summary, audit_info,
	created_at, finalized_at, expires_at)
	VALUES (?key, ?operation, ?principal, ?request, ?owner, 1,
	?now + ?lease, ?status, ?header, ?encoding, ?payload, ?audit,
	?now, ?now + ?finalized, ?now + ?retain)`

var replacedColumns = []string{
	"operation_binding", "principal_hash", "request_hash", "lease_expires_at", "http_status",
	"response_headers", "response_encoding", "response_summary", "audit_info", "finalized_at", "expires_at",
}

// onConflictSQL is a put where the database has ON CONFLICT and RETURNING. It
// measures the old row against the new one's created_at, which is one instant
// for the whole statement. A row comes back when the put succeeded, and an
// attempt beyond the first means that a reservation was taken over.
var onConflictSQL = `INSERT INTO ` + table + ` AS r` + insertSQL + `
	ON CONFLICT (idempotency_key) DO UPDATE SET
	owner = EXCLUDED.owner,
	attempt = CASE WHEN r.expires_at <= EXCLUDED.created_at THEN 1 ELSE r.attempt + 1 END,
	created_at = CASE WHEN r.expires_at <= EXCLUDED.created_at THEN EXCLUDED.created_at ELSE r.created_at END,
	` + each("$ = EXCLUDED.$") + `
	WHERE r.expires_at <= EXCLUDED.created_at
	OR (r.http_status IS NULL AND r.lease_expires_at <= EXCLUDED.created_at
		AND r.principal_hash = EXCLUDED.principal_hash AND r.request_hash = EXCLUDED.request_hash)
	RETURNING attempt`

// onDuplicateSQL is a put on MySQL and MariaDB, of which only the latter has
// RETURNING. Assignments run from left to right and see those before them. The
// first decides, and reports its decision as the statement's insert id: by
// duplicateHeld and the numbers after it, while a plain insert reports 0. The
// rest follow it by looking at the owner, since a token is new for every put;
// expires_at, on which two of them depend, is assigned last.
var onDuplicateSQL = `INSERT INTO ` + table + insertSQL + `
	ON DUPLICATE KEY UPDATE
	owner = CASE LAST_INSERT_ID(CASE
		WHEN expires_at <= VALUES(created_at) THEN 2
		WHEN http_status IS NULL AND lease_expires_at <= VALUES(created_at)
			AND principal_hash = VALUES(principal_hash) AND request_hash = VALUES(request_hash) THEN 3
		ELSE 1 END) WHEN 1 THEN owner ELSE VALUES(owner) END,
	attempt = IF(owner <> VALUES(owner), attempt, IF(expires_at <= VALUES(created_at), 1, attempt + 1)),
	created_at = IF(owner = VALUES(owner) AND expires_at <= VALUES(created_at), VALUES(created_at), created_at),
	` + each("$ = IF(owner = VALUES(owner), VALUES($), $)")

// The insert ids that onDuplicateSQL reports.
const (
	duplicateNone = iota
	duplicateHeld
	duplicateExpired
	duplicateAbandoned
)

// each writes an assignment for every replaced column, in place of the $.
func each(assignment string) string {
	list := make([]string, len(replacedColumns))
	for i, column := range replacedColumns {
		list[i] = strings.ReplaceAll(assignment, "$", column)
	}
	return strings.Join(list, ",\n\t")
}
