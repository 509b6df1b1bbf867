package oapi

import (
	"fmt"
	"maps"
	"sync"
	"text/template"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
)

// state guards oapi-codegen's package-level variables.
var state sync.RWMutex

// TypeName returns the Go name that oapi-codegen gives a schema, an operation or
// a property: "create-table" becomes "CreateTable".
func TypeName(name string) string {
	state.RLock()
	defer state.RUnlock()
	return codegen.SchemaNameToTypeName(name)
}

// Generate renders a document by a configuration, whose templates may call the
// functions. A function must not call this package, which is busy then. The
// document is changed on the way: what it does not use is pruned.
func Generate(spec *openapi3.T, functions template.FuncMap, c codegen.Configuration) (string, error) {
	state.Lock()
	defer state.Unlock()
	maps.Copy(codegen.TemplateFunctions, functions)
	code, err := codegen.Generate(spec, c)
	if err != nil {
		return "", fmt.Errorf("oapi-codegen: %w", err)
	}
	return code, nil
}
