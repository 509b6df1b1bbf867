package oapi_test

import (
	"strings"
	"sync"
	"testing"
	"text/template"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"

	"github.com/onceberg/onceberg/generator/oapi"
)

const pet = `{"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"get": {"operationId": "a", "responses": {
	"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/a-pet"}}}}}}}},
	"components": {"schemas": {"a-pet": {"type": "object"}}}}`

// The race detector watches.
func TestNamesAndCodeAtTheSameTime(t *testing.T) {
	t.Parallel()
	var group sync.WaitGroup
	for _, tag := range []string{"first", "second", "third"} {
		group.Go(func() {
			if name := oapi.TypeName("a-pet"); name != "APet" {
				t.Errorf("TypeName = %q", name)
			}
			document, err := openapi3.NewLoader().LoadFromData([]byte(pet))
			if err != nil {
				t.Error(err)
				return
			}
			code, err := oapi.Generate(document, template.FuncMap{"tag": func() string { return tag }}, codegen.Configuration{
				PackageName: "pets",
				Generate:    codegen.GenerateOptions{Models: true},
				OutputOptions: codegen.OutputOptions{
					UserTemplates: map[string]string{"imports.tmpl": "package pets // {{tag}}\n"},
				},
			})
			if err != nil || !strings.Contains(code, "// "+tag) || !strings.Contains(code, "type APet ") {
				t.Errorf("Generate: error %v, code\n%s", err, code)
			}
		})
	}
	group.Wait()
}
