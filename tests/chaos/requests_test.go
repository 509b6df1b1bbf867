package chaos

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
)

// request is what a client sends for a mutation.
type request struct {
	Method, Path, Body string
}

// markProperty is where each change of a namespace, a table or a view leaves the
// mark of its mutation.
const markProperty = "chaos.mark"

const schema = `{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","type":"long","required":true}]}`

// split divides namespace.name.
func split(object string) (namespace, name string) {
	namespace, name, _ = strings.Cut(object, ".")
	return namespace, name
}

func tablePath(object string) string {
	namespace, name := split(object)
	return "/v1/namespaces/" + namespace + "/tables/" + name
}

func viewPath(object string) string {
	namespace, name := split(object)
	return "/v1/namespaces/" + namespace + "/views/" + name
}

func identifier(object string) string {
	namespace, name := split(object)
	return fmt.Sprintf(`{"namespace":[%q],"name":%q}`, namespace, name)
}

// stagedCreation is a commit that creates a table, from its uuid, schema, place and
// properties.
const stagedCreation = `{"requirements":[{"type":"assert-create"}],"updates":[
	{"action":"assign-uuid","uuid":%q},{"action":"upgrade-format-version","format-version":2},
	{"action":"add-schema","schema":%s},{"action":"set-current-schema","schema-id":-1},
	{"action":"add-spec","spec":{"spec-id":0,"fields":[]}},{"action":"set-default-spec","spec-id":-1},
	{"action":"add-sort-order","sort-order":{"order-id":0,"fields":[]}},{"action":"set-default-sort-order","sort-order-id":-1},
	{"action":"set-location","location":"file://%s/staged/%s"},{"action":"set-properties","updates":%s}]}`

// requestOf returns the request of a step that does not depend on the present
// state of a table, and what it is to bring about.
func (s step) requestOf(mark, warehouse string) (request, effect) {
	namespace, name := split(s.Object)
	properties := fmt.Sprintf(`{%q:%q}`, markProperty, mark)
	if s.Operation == "createTable" || s.Staged {
		// A short log keeps the files short; the chain can be followed all the same.
		properties = fmt.Sprintf(`{%q:%q,"write.metadata.previous-versions-max":"2"}`, markProperty, mark)
	}
	set := fmt.Sprintf(`{"action":"set-properties","updates":%s}`, properties)
	if s.Staged {
		return post(tablePath(s.Object), stagedCreation, uuid.NewSHA1(uuid.NameSpaceURL, []byte(mark)), schema, warehouse, name, properties),
			effect{creates, s.Object}
	}
	switch s.Operation {
	case "createNamespace":
		return post("/v1/namespaces", `{"namespace":[%q],"properties":%s}`, s.Object, properties), effect{creates, s.Object}
	case "updateProperties":
		return post("/v1/namespaces/"+s.Object+"/properties", `{"updates":%s}`, properties), effect{changes, s.Object}
	case "dropNamespace":
		return request{http.MethodDelete, "/v1/namespaces/" + s.Object, ""}, effect{drops, s.Object}
	case "createTable":
		return post("/v1/namespaces/"+namespace+"/tables", `{"name":%q,"schema":%s,"properties":%s}`,
			name, schema, properties), effect{creates, s.Object}
	case "updateTable":
		return post(tablePath(s.Object), `{"requirements":[],"updates":[%s]}`, set), effect{changes, s.Object}
	case "renameTable":
		return post("/v1/tables/rename", `{"source":%s,"destination":%s}`, identifier(s.Object), identifier(s.To)), effect{renames, s.To}
	case "dropTable":
		return request{http.MethodDelete, tablePath(s.Object), ""}, effect{drops, s.Object}
	case "createView":
		return post("/v1/namespaces/"+namespace+"/views", `{"name":%q,"schema":%s,"view-version":%s,"properties":%s}`,
			name, schema, viewVersion(1, mark), properties), effect{creates, s.Object}
	case "replaceView":
		return post(viewPath(s.Object), `{"requirements":[],"updates":[%s,{"action":"add-view-version","view-version":%s},`+
			`{"action":"set-current-view-version","view-version-id":-1}]}`, set, viewVersion(s.Number, mark)), effect{changes, s.Object}
	case "renameView":
		return post("/v1/views/rename", `{"source":%s,"destination":%s}`, identifier(s.Object), identifier(s.To)), effect{renames, s.To}
	case "dropView":
		return request{http.MethodDelete, viewPath(s.Object), ""}, effect{drops, s.Object}
	}
	panic("no request for " + s.Operation)
}

func post(path, format string, args ...any) request {
	return request{http.MethodPost, path, fmt.Sprintf(format, args...)}
}

func viewVersion(id int, mark string) string {
	return fmt.Sprintf(`{"version-id":%d,"schema-id":0,"timestamp-ms":%d,"summary":{"engine":"chaos"},"default-namespace":[%q],`+
		`"representations":[{"type":"sql","sql":"select '%s'","dialect":"spark"}]}`, id, time.Now().UnixMilli(), common, mark)
}

// tableState is what a client must know of a table to commit to it.
type tableState struct {
	UUID      string          `json:"table-uuid"`
	Sequence  int64           `json:"last-sequence-number"`
	Current   *int64          `json:"current-snapshot-id"`
	Snapshots []tableSnapshot `json:"snapshots"`
}

type tableSnapshot struct {
	ID     int64  `json:"snapshot-id"`
	Parent *int64 `json:"parent-snapshot-id"`
}

// keptSnapshots is how many snapshots a table has before a commit expires the old
// ones.
const keptSnapshots = 8

const noSnapshot = -1

// current is the current snapshot, which files may write in two ways when there is
// none.
func (m *tableState) current() int64 {
	if m.Current == nil {
		return noSnapshot
	}
	return *m.Current
}

// expired are the snapshots but the current one, once there are many.
func (m *tableState) expired() (old []int64) {
	if len(m.Snapshots) < keptSnapshots {
		return nil
	}
	for _, s := range m.Snapshots {
		if s.ID != m.current() {
			old = append(old, s.ID)
		}
	}
	return old
}

// commitOf returns the body of a commit that adds a snapshot to what the client
// has read, as an append does: made on anything else, it must be refused.
func commitOf(object string, m *tableState, mark string) string {
	current, parent := "null", ""
	if base := m.current(); base != noSnapshot {
		current = fmt.Sprint(base)
		parent = fmt.Sprintf(`"parent-snapshot-id":%d,`, base)
	}
	id := snapshotID(mark)
	updates := []string{
		fmt.Sprintf(`{"action":"add-snapshot","snapshot":{"snapshot-id":%d,%s"sequence-number":%d,"timestamp-ms":%d,`+
			`"manifest-list":"file:/chaos/%s.avro","summary":{"operation":"append",%q:%q},"schema-id":0}}`,
			id, parent, m.Sequence+1, time.Now().UnixMilli(), mark, markProperty, mark),
		fmt.Sprintf(`{"action":"set-snapshot-ref","ref-name":"main","type":"branch","snapshot-id":%d}`, id),
		fmt.Sprintf(`{"action":"set-properties","updates":{%q:%q}}`, markProperty, mark),
	}
	if old := m.expired(); len(old) > 0 {
		text, err := json.Marshal(old)
		if err != nil {
			panic(err) // numbers
		}
		updates = append(updates, fmt.Sprintf(`{"action":"remove-snapshots","snapshot-ids":%s}`, text))
	}
	return fmt.Sprintf(`{"identifier":%s,"requirements":[{"type":"assert-table-uuid","uuid":%q},`+
		`{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":%s}],"updates":[%s]}`,
		identifier(object), m.UUID, current, strings.Join(updates, ","))
}

// snapshotID makes the same number from the same mark, as a client does that sends
// a request again.
func snapshotID(mark string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(mark)) // a hash takes everything
	return int64(h.Sum64() >> 1)
}
