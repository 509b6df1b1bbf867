package sqlstore

import (
	"context"
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"
)

// PostgreSQL spends more time on parsing and planning the statements that every
// keyed request runs than on running them, so each session prepares them when it
// first meets them. This is done in SQL, by PREPARE and EXECUTE, since the names
// that pgdriver gives to statements in the protocol are only counted: behind a
// pooler that changes sessions under a connection such a name may be another
// statement's. The names here hold a hash of the text, so that at worst one is
// missing or there already; isTransient takes care of that.

// preparations are the PREPARE statements by the names that they define.
var preparations = map[string]string{}

const preparedPrefix = "onceberg_"

var argument = regexp.MustCompile(`\?\w+`)

// prepared makes a statement of a text, and its prepared form for PostgreSQL.
func prepared(name, text string) *statement {
	var arguments []string
	numbers := map[string]int{"?now": 0}
	body := argument.ReplaceAllStringFunc(text, func(arg string) string {
		if arg == "?now" {
			return postgresNow
		}
		if numbers[arg] == 0 {
			arguments = append(arguments, arg)
			numbers[arg] = len(arguments)
		}
		return fmt.Sprintf("$%d", numbers[arg])
	})
	name = fmt.Sprintf("%s%s_%x", preparedPrefix, name, sha256.Sum256([]byte(body)))[:40]
	preparations[name] = "PREPARE " + name + " AS " + body
	return &statement{text: text, execute: "EXECUTE " + name + " (" + strings.Join(arguments, ", ") + ")"}
}

// prepare makes sure that the session knows the statement that query executes.
func (c *postgresConn) prepare(ctx context.Context, query string) error {
	rest, ok := strings.CutPrefix(query, "EXECUTE "+preparedPrefix)
	if !ok {
		return nil
	}
	name, _, _ := strings.Cut(rest, " ")
	name = preparedPrefix + name
	preparation, ok := preparations[name]
	if !ok || c.prepared[name] {
		return nil
	}
	if _, err := c.Conn.ExecContext(ctx, preparation, nil); err != nil {
		return err
	}
	if c.prepared == nil {
		c.prepared = map[string]bool{}
	}
	c.prepared[name] = true
	return nil
}
