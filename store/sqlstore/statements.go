package sqlstore

import (
	"strings"

	"github.com/uptrace/bun"
)

// ?now in a statement is the database's clock; the other names are fields of the
// argument. All databases share these statements but for the puts.

const (
	// spent is a row that may be deleted. A running lease keeps a row even
	// where somebody has edited expires_at.
	spent = `expires_at <= ?now AND (http_status IS NOT NULL OR lease_expires_at <= ?now)`

	spentKeysSQL = `SELECT idempotency_key FROM ` + table + ` WHERE ` + spent + ` ORDER BY expires_at LIMIT ?`
	purgeSQL     = `DELETE FROM ` + table + ` WHERE idempotency_key IN (?) AND ` + spent
)

// statement is the text of one that requests wait for. Its arguments are the
// fields of one struct, by name. Where the database keeps it prepared, execute
// is what runs it.
type statement struct {
	text    string
	execute string
}

// raw makes a query of a statement and its argument.
func (s *Store) raw(st *statement, arg any) *bun.RawQuery {
	if s.prepared.Load() && st.execute != "" {
		return s.db.NewRaw(st.execute, arg)
	}
	return s.db.NewRaw(st.text, arg)
}

var (
	findRow = prepared("find", `SELECT idempotency_key, operation_binding, principal_hash, request_hash, owner,
		attempt, lease_expires_at, http_status, response_headers, response_encoding, response_summary,
		audit_info, created_at, finalized_at, expires_at, ?now AS read_at
		FROM `+table+` WHERE idempotency_key = ?key`)

	finalizeRow = prepared("finalize", `UPDATE `+table+` SET
		http_status = ?status, response_headers = ?header, response_encoding = ?encoding,
		response_summary = ?payload, lease_expires_at = NULL, finalized_at = ?now, expires_at = ?now + ?retain
		WHERE `+mine)

	releaseRow = &statement{text: `DELETE FROM ` + table + ` WHERE ` + mine}

	// renewRow moves the end of the retention along with the end of the lease,
	// so that it counts from the last renewal, and never back. MySQL assigns
	// from left to right: expires_at needs the old lease.
	renewRow = &statement{text: `UPDATE ` + table + ` SET
		expires_at = expires_at + CASE WHEN ?now + ?lease > lease_expires_at
			THEN ?now + ?lease - lease_expires_at ELSE 0 END,
		lease_expires_at = ?now + ?lease
		WHERE ` + mine}
)

const mine = `idempotency_key = ?key AND owner = ?owner AND http_status IS NULL`

// insertion is the insert half of every put. Its columns, except the key and
// those for which a takeover keeps something of the old row, are replaced one
// for one.
const insertion = ` (idempotency_key, operation_binding, principal_hash, request_hash, owner, attempt,
	lease_expires_at, http_status, response_headers, response_encoding, response_summary, audit_info,
	created_at, finalized_at, expires_at)
	VALUES (?key, ?operation, ?principal, ?request, ?owner, 1,
	?now + ?lease, ?status, ?header, ?encoding, ?payload, ?audit,
	?now, ?now + ?finalized, ?now + ?retain)`

var replacedColumns = []string{
	"operation_binding", "principal_hash", "request_hash", "lease_expires_at", "http_status",
	"response_headers", "response_encoding", "response_summary", "audit_info", "finalized_at", "expires_at",
}

// The put statements where the database has ON CONFLICT and RETURNING. The old
// row is measured against the new one's created_at, which is one instant for the
// whole statement. A row comes back when it gave way, and an attempt beyond the
// first means that a reservation was taken over.
var (
	onConflictNothing = prepared("insert", `INSERT INTO `+table+insertion+`
	ON CONFLICT (idempotency_key) DO NOTHING`)

	onConflictReplace = &statement{text: `INSERT INTO ` + table + ` AS r` + insertion + `
	ON CONFLICT (idempotency_key) DO UPDATE SET
	owner = EXCLUDED.owner,
	attempt = CASE WHEN r.expires_at <= EXCLUDED.created_at THEN 1 ELSE r.attempt + 1 END,
	created_at = CASE WHEN r.expires_at <= EXCLUDED.created_at THEN EXCLUDED.created_at ELSE r.created_at END,
	` + each("$ = EXCLUDED.$") + `
	WHERE r.expires_at <= EXCLUDED.created_at
	OR (r.http_status IS NULL AND r.lease_expires_at <= EXCLUDED.created_at
		AND r.principal_hash = EXCLUDED.principal_hash AND r.request_hash = EXCLUDED.request_hash)
	RETURNING attempt`}
)

// onDuplicateReplace is a put on MySQL and MariaDB, of which only the latter has
// RETURNING. Assignments run from left to right and see those before them. The
// first decides, and reports its decision as the statement's insert id: by
// duplicateHeld and the numbers after it, while a plain insert reports 0. The
// rest follow it by looking at the owner, since a token is new for every put;
// expires_at, on which two of them depend, is assigned last.
var onDuplicateReplace = &statement{text: `INSERT INTO ` + table + insertion + `
	ON DUPLICATE KEY UPDATE
	owner = CASE LAST_INSERT_ID(CASE
		WHEN expires_at <= VALUES(created_at) THEN 2
		WHEN http_status IS NULL AND lease_expires_at <= VALUES(created_at)
			AND principal_hash = VALUES(principal_hash) AND request_hash = VALUES(request_hash) THEN 3
		ELSE 1 END) WHEN 1 THEN owner ELSE VALUES(owner) END,
	attempt = IF(owner <> VALUES(owner), attempt, IF(expires_at <= VALUES(created_at), 1, attempt + 1)),
	created_at = IF(owner = VALUES(owner) AND expires_at <= VALUES(created_at), VALUES(created_at), created_at),
	` + each("$ = IF(owner = VALUES(owner), VALUES($), $)")}

// The insert ids that onDuplicateReplace reports.
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
