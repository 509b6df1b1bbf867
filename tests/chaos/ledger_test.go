package chaos

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// event is a change that the catalog's database has committed, as a trigger of
// this test's has noted it in the transaction of the change.
type event struct {
	Seq, Tx int64
	Action  action
	Object  string // its name afterwards, or before it was dropped
	Was     string // its name before
	ID      string // of the row
	Mark    string // of a creation or change: what it wrote
	Same    bool   // a change to what was there already
	Entry   bool   // it is a table or view, and the rest is there
	View    bool
	From    string // the metadata before
	To      string // and afterwards
	Version int64  // of the row, afterwards
}

func (e event) String() string {
	return fmt.Sprintf("event %d (transaction %d): %s %s, mark %q, %s to %s", e.Seq, e.Tx, e.Action, e.Object, e.Mark, e.From, e.To)
}

// ledger is what really happened.
type ledger struct {
	events []event
	// pointers are what the database holds in the end: metadata by row id.
	pointers map[string]string
	// files are the metadata files by location; one that is not there is nil.
	files map[string]*metadataFile
	// orphans counts files that nothing refers to.
	orphans int
}

// metadataFile is what a check needs of one.
type metadataFile struct {
	tableState
	ViewUUID   string            `json:"view-uuid"`
	Updated    int64             `json:"last-updated-ms"`
	Properties map[string]string `json:"properties"`
	Log        []logEntry        `json:"metadata-log"`
}

type logEntry struct {
	File string `json:"metadata-file"`
}

// row is a row of the catalog's, as the trigger has noted it.
type row struct {
	ID          string `json:"id"`
	NamespaceID string `json:"namespace_id"`
	Name        string `json:"name"`
	Kind        string `json:"kind"`
	Location    string `json:"metadata_location"`
	Version     int64  `json:"version"`
	Properties  string `json:"properties"` // of a namespace, JSON in itself
}

func (r *row) mark() string {
	var properties map[string]string
	if json.Unmarshal([]byte(r.Properties), &properties) != nil {
		return ""
	}
	return properties[markProperty]
}

const namespaceTable, entryTable = "iceberg_namespaces", "iceberg_tables"

// watch makes the database note every change of the catalog's entries.
func (c *cluster) watch() {
	c.t.Helper()
	for _, statement := range []string{
		`CREATE TABLE chaos_changes (seq BIGSERIAL PRIMARY KEY, tx BIGINT NOT NULL DEFAULT txid_current(),
			"table" TEXT NOT NULL, before JSONB, after JSONB)`,
		`CREATE FUNCTION chaos_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			INSERT INTO chaos_changes ("table", before, after) VALUES (TG_TABLE_NAME, to_jsonb(OLD), to_jsonb(NEW));
			RETURN NULL; END $$`,
		`CREATE TRIGGER chaos_note AFTER INSERT OR UPDATE OR DELETE ON ` + namespaceTable +
			` FOR EACH ROW EXECUTE FUNCTION chaos_note()`,
		`CREATE TRIGGER chaos_note AFTER INSERT OR UPDATE OR DELETE ON ` + entryTable +
			` FOR EACH ROW EXECUTE FUNCTION chaos_note()`,
	} {
		if _, err := c.catalog.ExecContext(c.t.Context(), statement); err != nil {
			c.t.Fatal(err)
		}
	}
}

// ledger reads what happened.
func (c *cluster) ledger() *ledger {
	c.t.Helper()
	l := &ledger{pointers: map[string]string{}, files: map[string]*metadataFile{}}
	var entries []struct{ ID, MetadataLocation string }
	err := c.catalog.NewSelect().Table(entryTable).Column("id", "metadata_location").Scan(c.t.Context(), &entries)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, e := range entries {
		l.pointers[e.ID] = e.MetadataLocation
	}
	rows, err := c.catalog.QueryContext(c.t.Context(), `SELECT seq, tx, "table", before, after FROM chaos_changes ORDER BY seq`)
	if err != nil {
		c.t.Fatal(err)
	}
	defer rows.Close()
	names := map[string]string{} // of namespaces, by id
	for rows.Next() {
		var e event
		var table string
		var before, after []byte
		if err := rows.Scan(&e.Seq, &e.Tx, &table, &before, &after); err != nil {
			c.t.Fatal(err)
		}
		if err := e.read(table, before, after, names); err != nil {
			c.t.Fatal(err)
		}
		l.add(c, e)
	}
	if err := rows.Err(); err != nil {
		c.t.Fatal(err)
	}
	l.count(c)
	return l
}

// add adds an event, with the file that it points to.
func (l *ledger) add(c *cluster, e event) {
	c.t.Helper()
	if e.Entry {
		for _, location := range []string{e.From, e.To} {
			if _, known := l.files[location]; !known && location != "" {
				l.files[location] = c.readMetadata(location)
			}
		}
		if file := l.files[e.To]; file != nil && (e.Action == creates || e.Action == changes) {
			e.Mark = file.Properties[markProperty]
		}
	}
	l.events = append(l.events, e)
}

// readMetadata returns nil for a file that is not there.
func (c *cluster) readMetadata(location string) *metadataFile {
	c.t.Helper()
	text, err := os.ReadFile(strings.TrimPrefix(location, "file://"))
	if os.IsNotExist(err) {
		return nil
	}
	file := new(metadataFile)
	if err == nil {
		err = json.Unmarshal(text, file)
	}
	if err != nil {
		c.t.Errorf("%s: %v", location, err)
	}
	return file
}

// read makes an event of a row before and after it.
func (e *event) read(table string, before, after []byte, names map[string]string) error {
	var old, now row
	for text, r := range map[*[]byte]*row{&before: &old, &after: &now} {
		if *text != nil {
			if err := json.Unmarshal(*text, r); err != nil {
				return err
			}
		}
	}
	switch {
	case old.ID == "":
		e.Action, e.ID = creates, now.ID
	case now.ID == "":
		e.Action, e.ID = drops, old.ID
	default:
		e.Action, e.ID = changes, now.ID
	}
	if table == namespaceTable {
		if e.Mark = now.mark(); now.ID != "" {
			names[now.ID] = now.Name
		}
		e.Was, e.Object, e.Same = old.Name, now.Name, e.Action == changes && now.Properties == old.Properties
	} else {
		e.Entry, e.View = true, now.Kind == "view" || old.Kind == "view"
		e.Was, e.Object = full(names, old), full(names, now)
		e.From, e.To, e.Version = old.Location, now.Location, now.Version
		if e.Action == changes && e.Was != e.Object {
			e.Action = renames
		}
	}
	if e.Action == drops {
		e.Object = e.Was
	}
	return nil
}

func full(names map[string]string, r row) string {
	if r.ID == "" {
		return ""
	}
	return names[r.NamespaceID] + "." + r.Name
}
