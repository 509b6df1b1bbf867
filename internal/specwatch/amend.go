package specwatch

import (
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

func schema(d *document.Document, name string) *document.Node {
	return d.Root.At("components", "schemas", name)
}

// without is a list that lacks a text.
func without(list *document.Node, text string) *document.Node {
	rest := list.Clone()
	rest.Items = slices.DeleteFunc(rest.Items, func(item *document.Node) bool { return item.Str() == text })
	return rest
}

const (
	bareError     = "#/components/schemas/ErrorModel"
	wrappedError  = "#/components/schemas/IcebergErrorResponse"
	errorResponse = "BadRequestErrorResponse"
)

func wrapErrors(d *document.Document) {
	d.WalkSchemas(func(p document.Pointer, n *document.Node) {
		if n.Get("$ref").Str() == bareError && strings.HasSuffix(string(p), "/schema") {
			n.Set("$ref", document.NewString(wrappedError))
		}
	})
}

// nullForAbsent admits null for the properties that clients and tests send so.
func nullForAbsent(d *document.Document) {
	for name, properties := range map[string][]string{
		"CreateTableRequest":               {"location", "partition-spec", "write-order"},
		"CreateNamespaceRequest":           {"properties"},
		"UpdateNamespacePropertiesRequest": {"removals", "updates"},
	} {
		all := schema(d, name).Get("properties")
		for _, property := range properties {
			value := all.Get(property)
			if value.Has("$ref") {
				value = document.NewObject("allOf", document.NewArray(value))
				all.Set(property, value)
			}
			value.Set("nullable", document.NewBool(true))
		}
	}
}

// answersToKeys declares what a guard answers, on the operations that take a key.
func answersToKeys(d *document.Document) {
	declare(d, []string{"409", "422"}, func(item, op *document.Node) bool {
		parameters := append(slices.Clone(item.Get("parameters").All()), op.Get("parameters").All()...)
		return op.Get("operationId").Str() == "createView" ||
			slices.ContainsFunc(parameters, func(p *document.Node) bool { return d.IsHeader(p, keyHeader) })
	})
}

func statusesOfHTTP(d *document.Document) {
	declare(d, []string{"413", "415"}, func(_, op *document.Node) bool { return op.Has("requestBody") })
}

// declare adds error responses to operations that do not have them.
func declare(d *document.Document, statuses []string, on func(item, op *document.Node) bool) {
	for _, item := range d.PathItems() {
		for _, method := range document.Methods {
			op := item.Get(method)
			if op == nil || !on(item, op) {
				continue
			}
			for _, status := range statuses {
				if responses := op.Get("responses"); !responses.Has(status) {
					responses.Set(status, document.NewObject("$ref", "#/components/responses/"+errorResponse))
				}
			}
		}
	}
}
