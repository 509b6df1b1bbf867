package specwatch

import (
	"fmt"
	"net/http"

	"github.com/onceberg/onceberg/generator/document"
)

// Amendment is a point in which the document is corrected before anything is held
// against it, since its own clients contradict it there or it is silent.
type Amendment struct {
	Name string
	// Why says what contradicts the document.
	Why string

	// amend changes the document; one that it has nothing to change in is an
	// amendment that is not needed any more.
	amend func(*document.Document)
	// proof is an exchange that must be, and that the document rejects without
	// the amendment.
	proof proof
}

// proof is an exchange in short.
type proof struct {
	method, path, sent string
	status             int
	received           string
	key                string
}

// Amendments lists all there are.
var Amendments = []Amendment{
	{
		"wrapped errors",
		"the view routes and 406 declare the error without its wrapper; clients read {\"error\":{...}} everywhere, " +
			"and take what is inside for a message otherwise",
		wrapErrors,
		proof{method: http.MethodGet, path: "/v1/namespaces/n/views/v", status: 404, received: errorBody(404)},
	},
	{
		"null for absent",
		"the Java client writes what a creation leaves out as null, from a generic serializer; the server takes " +
			"null for absent in every request",
		nullForAbsent,
		proof{
			method: http.MethodPost, path: "/v1/namespaces/n/tables", status: 200, received: aTable,
			sent: `{"name":"t","schema":{"type":"struct","fields":[]},"location":null,"partition-spec":null,"write-order":null}`,
		},
	},
	{
		"views without properties",
		"the Java client leaves the properties of a new view out when there are none; the document requires them",
		func(d *document.Document) {
			view := schema(d, "CreateViewRequest")
			view.Set("required", without(view.Get("required"), "properties"))
		},
		proof{
			method: http.MethodPost, path: "/v1/namespaces/n/views", status: 200, received: aView,
			sent: `{"name":"v","schema":{"type":"struct","fields":[]},"view-version":{"version-id":1,"timestamp-ms":1,` +
				`"schema-id":0,"summary":{},"representations":[],"default-namespace":[]}}`,
		},
	},
	{
		"ids in requests",
		"the ids of schemas, specs and orders are read-only in the document; every client sends them, and other " +
			"updates of the same commit refer to them",
		func(d *document.Document) {
			d.WalkSchemas(func(_ document.Pointer, n *document.Node) { n.Delete("readOnly") })
		},
		proof{
			method: http.MethodPost, path: "/v1/namespaces/n/tables", status: 200, received: aTable,
			sent: `{"name":"t","schema":{"type":"struct","schema-id":0,"fields":[]}}`,
		},
	},
	{
		"removals listed twice",
		"the document asks for distinct removals; Iceberg's own server reads them into a set and takes a property " +
			"that is listed twice",
		func(d *document.Document) {
			schema(d, "UpdateNamespacePropertiesRequest").At("properties", "removals").Delete("uniqueItems")
		},
		proof{
			method: http.MethodPost, path: "/v1/namespaces/n/properties", status: 200,
			received: `{"updated":[],"removed":[]}`,
			sent:     `{"removals":["a","a"]}`,
		},
	},
	{
		"values of several types",
		"a partition value or bound must fit exactly one primitive type, but the types overlap: 1 is an integer, a " +
			"long, a float and a double, and every text fits most of the others",
		func(d *document.Document) { schema(d, "PrimitiveTypeValue").Rename("oneOf", "anyOf") },
		planned(`{"content":"data","file-path":"f","file-format":"parquet","spec-id":0,"partition":[1],` +
			`"file-size-in-bytes":1,"record-count":1}`),
	},
	{
		"null partitions",
		"rows whose partition field is null are in a partition of their own, and the document has no value for it",
		func(d *document.Document) { schema(d, "PrimitiveTypeValue").Set("nullable", document.NewBool(true)) },
		planned(`{"content":"data","file-path":"f","file-format":"parquet","spec-id":0,"partition":[null],` +
			`"file-size-in-bytes":1,"record-count":1}`),
	},
	{
		"failing token endpoints",
		"the document has the body of RFC 6749 for every failure of getToken, 5xx included, and only the codes of " +
			"section 5.2, all of which blame the client",
		func(d *document.Document) {
			codes := schema(d, "OAuthError").At("properties", "error", "enum")
			codes.Items = append(codes.Items, document.NewString("server_error"), document.NewString("temporarily_unavailable"))
		},
		proof{
			method: http.MethodPost, path: "/v1/oauth/tokens", status: 501, received: `{"error":"server_error"}`,
			sent: "grant_type=client_credentials&client_id=a&client_secret=b",
		},
	},
	{
		"logins by HTTP Basic",
		"the document requires a client's id and secret in the form; PyIceberg's newer manager sends them in the " +
			"Authorization header instead, as RFC 6749 recommends",
		func(d *document.Document) {
			form := schema(d, "OAuthClientCredentialsRequest")
			form.Set("required", without(without(form.Get("required"), "client_id"), "client_secret"))
		},
		proof{
			method: http.MethodPost, path: "/v1/oauth/tokens", status: 200,
			sent: "grant_type=client_credentials&scope=catalog", received: `{"access_token":"t","token_type":"bearer"}`,
		},
	},
	{
		"answers to keys",
		"the document says what a key does and not what else it may be answered: 409 while the first attempt runs, " +
			"422 when the key belongs to another request",
		answersToKeys,
		proof{
			method: http.MethodPost, path: "/v1/namespaces", key: "0197a5b0-0000-7000-8000-000000000000",
			sent: `{"namespace":["a"]}`, status: 422, received: errorBody(422),
		},
	},
	{
		"keys that are ignored",
		"a server that does not advertise idempotency ignores the header, whatever it holds; the document knows no " +
			"such server",
		func(d *document.Document) {
			d.Root.At("components", "parameters", "idempotency-key").Delete("schema")
		},
		proof{
			method: http.MethodPost, path: "/v1/namespaces", key: "no key", sent: `{"namespace":["a"]}`,
			status: 200, received: `{"namespace":["a"]}`,
		},
	},
	{
		"statuses of HTTP",
		"a body that is too large or of another type is refused by HTTP's own statuses, on every operation that " +
			"takes one",
		statusesOfHTTP,
		proof{
			method: http.MethodPost, path: "/v1/namespaces", sent: `{"namespace":["a"]}`,
			status: 413, received: errorBody(413),
		},
	},
}

const (
	aTable = `{"metadata":{"format-version":2,"table-uuid":"6c1cd7b5-0000-4000-8000-000000000000"}}`
	aView  = `{"metadata-location":"f","metadata":{"format-version":1,"view-uuid":"v","location":"f",` +
		`"current-version-id":1,"versions":[],"version-log":[],"schemas":[]}}`
)

// planned is a scan of one data file.
func planned(file string) proof {
	return proof{
		method: http.MethodPost, path: "/v1/namespaces/n/tables/t/plan", sent: "{}", status: 200,
		received: `{"status":"completed","plan-id":"p","file-scan-tasks":[{"data-file":` + file + `}]}`,
	}
}

func errorBody(code int) string {
	return fmt.Sprintf(`{"error":{"message":"no","type":"SomeException","code":%d}}`, code)
}
