package catalog

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/catalog/metadata/views"
	"github.com/onceberg/onceberg/runtime"
)

// The kinds of an Access.
const (
	kindNamespace = "namespace"
	kindTable     = "table"
	kindView      = "view"
	kindFunction  = "function"
)

// accessesOf says by operation what a request does. All names come from the
// functions by which the handlers read theirs, so that no text can mean one name
// here and another there; and from nowhere else, least of all the database.
var accessesOf = map[string]func(c *Catalog, req *runtime.Request) ([]Access, error){
	"getConfig": nothing,
	"getToken":  nothing,

	"listNamespaces": (*Catalog).listsParent,
	"listTables":     onNamespace(ActionList),
	"listViews":      onNamespace(ActionList),
	"listFunctions":  onNamespace(ActionList),

	"createNamespace":       (*Catalog).createsNamespace,
	"loadNamespaceMetadata": onNamespace(ActionRead),
	"namespaceExists":       onNamespace(ActionRead),
	"updateProperties":      onNamespace(ActionWrite),
	"dropNamespace":         onNamespace(ActionDrop),

	"createTable":         (*Catalog).createsTable,
	"registerTable":       (*Catalog).registersTable,
	"loadTable":           onNamed(ActionRead, kindTable),
	"tableExists":         onNamed(ActionRead, kindTable),
	"loadCredentials":     onNamed(ActionRead, kindTable),
	"signRequest":         (*Catalog).signs,
	"reportMetrics":       onNamed(ActionRead, kindTable),
	"planTableScan":       onNamed(ActionRead, kindTable),
	"fetchPlanningResult": onNamed(ActionRead, kindTable),
	"cancelPlanning":      onNamed(ActionRead, kindTable),
	"fetchScanTasks":      onNamed(ActionRead, kindTable),
	"updateTable":         (*Catalog).commitsTable,
	"commitTransaction":   (*Catalog).commitsTables,
	"renameTable":         renames(kindTable),
	"dropTable":           onNamed(ActionDrop, kindTable),
	"unregisterTable":     onNamed(ActionDrop, kindTable),

	"createView":   (*Catalog).createsView,
	"registerView": (*Catalog).registersView,
	"loadView":     onNamed(ActionRead, kindView),
	"viewExists":   onNamed(ActionRead, kindView),
	"replaceView":  onNamed(ActionWrite, kindView),
	"renameView":   renames(kindView),
	"dropView":     onNamed(ActionDrop, kindView),

	"loadFunction": onNamed(ActionRead, kindFunction),
}

// accesses returns what a request would do. What cannot be told is an error, so
// that nothing is served which nobody could decide about.
func (c *Catalog) accesses(req *runtime.Request) ([]Access, error) {
	read, known := accessesOf[req.Operation.ID]
	if !known {
		return nil, fmt.Errorf("catalog: nothing says what %s does", req.Operation.ID)
	}
	accesses, err := read(c, req)
	return accesses, answerTo(err)
}

func nothing(*Catalog, *runtime.Request) ([]Access, error) { return nil, nil }

func onNamespace(action Action) func(*Catalog, *runtime.Request) ([]Access, error) {
	return func(c *Catalog, req *runtime.Request) ([]Access, error) {
		name, err := c.separator.fromSegment(req.RawPathValue("namespace"))
		return []Access{{action, kindNamespace, name, ""}}, err
	}
}

// onNamed reads a name from the path, in which it is called as its kind is.
func onNamed(action Action, kind string) func(*Catalog, *runtime.Request) ([]Access, error) {
	return func(c *Catalog, req *runtime.Request) ([]Access, error) {
		name, _, err := req.PathValue(kind)
		if err != nil {
			return nil, err
		}
		return c.onNameInPath(req, kind, name, action)
	}
}

func (c *Catalog) onNameInPath(req *runtime.Request, kind, name string, actions ...Action) ([]Access, error) {
	namespace, err := c.separator.fromSegment(req.RawPathValue("namespace"))
	if err != nil {
		return nil, err
	}
	var accesses []Access
	for _, action := range actions {
		accesses = append(accesses, Access{action, kind, namespace, name})
	}
	return accesses, nil
}

func (c *Catalog) listsParent(req *runtime.Request) ([]Access, error) {
	query, err := url.ParseQuery(req.HTTP().URL.RawQuery)
	if err != nil {
		return nil, badRequest("The query is not validly encoded")
	}
	if len(query["parent"]) > 1 { // the handler refuses it as well
		return nil, badRequest("Query parameter parent is given %d times", len(query["parent"]))
	}
	parent := query.Get("parent")
	name, err := c.separator.fromQuery(&parent)
	return []Access{{ActionList, kindNamespace, name, ""}}, err
}

// inBody reads what names things in a request's body, by the function that its
// handler reads them with.
func inBody[T any](req *runtime.Request, parse func([]byte) (T, error)) (T, error) {
	body, err := req.Body()
	if err != nil {
		var none T
		return none, err
	}
	return parse(body)
}

func (c *Catalog) createsNamespace(req *runtime.Request) ([]Access, error) {
	name, err := inBody(req, namespaceIn)
	return []Access{{ActionCreate, kindNamespace, name, ""}}, err
}

func (c *Catalog) createsTable(req *runtime.Request) ([]Access, error) {
	wanted, err := inBody(req, tables.ParseCreate)
	if err != nil {
		return nil, err
	}
	return c.onNameInPath(req, kindTable, wanted.Name, ActionCreate)
}

func (c *Catalog) createsView(req *runtime.Request) ([]Access, error) {
	wanted, err := inBody(req, views.ParseCreate)
	if err != nil {
		return nil, err
	}
	return c.onNameInPath(req, kindView, wanted.Name, ActionCreate)
}

// registersTable also changes the table that is there, if the client says so.
func (c *Catalog) registersTable(req *runtime.Request) ([]Access, error) {
	wanted, err := inBody(req, registrationIn)
	if err != nil {
		return nil, err
	}
	if wanted.overwrite {
		return c.onNameInPath(req, kindTable, wanted.name, ActionCreate, ActionWrite)
	}
	return c.onNameInPath(req, kindTable, wanted.name, ActionCreate)
}

func (c *Catalog) registersView(req *runtime.Request) ([]Access, error) {
	wanted, err := inBody(req, registrationIn)
	if err != nil {
		return nil, err
	}
	return c.onNameInPath(req, kindView, wanted.name, ActionCreate)
}

// signs changes files unless the request to be signed only reads.
func (c *Catalog) signs(req *runtime.Request) ([]Access, error) {
	body, err := req.Body()
	if err != nil {
		return nil, err
	}
	action := ActionWrite
	switch method, _ := rawjson.AsString(rawjson.Member(body, "method")); method {
	case http.MethodGet, http.MethodHead:
		action = ActionRead
	}
	return onNamed(action, kindTable)(c, req)
}

// actionOf tells the commit that creates a table from one that changes it.
func actionOf(commit *tables.Commit) Action {
	if commit.Creates() {
		return ActionCreate
	}
	return ActionWrite
}

func (c *Catalog) commitsTable(req *runtime.Request) ([]Access, error) {
	commit, err := inBody(req, tables.ParseCommit)
	if err != nil {
		return nil, err
	}
	return onNamed(actionOf(commit), kindTable)(c, req)
}

func (c *Catalog) commitsTables(req *runtime.Request) ([]Access, error) {
	changes, err := inBody(req, changesIn)
	if err != nil {
		return nil, err
	}
	accesses := make([]Access, len(changes))
	for i, change := range changes {
		accesses[i] = Access{actionOf(change.commit), kindTable, change.id.namespace, change.id.name}
	}
	return accesses, nil
}

func renames(kind string) func(*Catalog, *runtime.Request) ([]Access, error) {
	return func(_ *Catalog, req *runtime.Request) ([]Access, error) {
		body, err := req.Body()
		if err != nil {
			return nil, err
		}
		from, to, err := renameIn(body)
		return []Access{
			{ActionDrop, kind, from.namespace, from.name}, {ActionCreate, kind, to.namespace, to.name},
		}, err
	}
}
