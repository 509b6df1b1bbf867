package sqlstore

import (
	"strings"

	"github.com/uptrace/bun"
)

// The statements that all databases share. ?now is the database's clock; the
// other names are fields of the argument.

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

// insertion is the half that all put statements share; the other halves are the
// dialects'. Its columns, except the key and those for which a takeover keeps
// something of the old row, are replaced one for one.
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

// each writes an assignment for every replaced column, in place of the $.
func each(assignment string) string {
	list := make([]string, len(replacedColumns))
	for i, column := range replacedColumns {
		list[i] = strings.ReplaceAll(assignment, "$", column)
	}
	return strings.Join(list, ",\n\t")
}
