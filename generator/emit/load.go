package emit

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/onceberg/onceberg/generator/document"
)

// Load reads the repaired document with the library that oapi-codegen uses. The
// key's header is left out: it is the guard's, and a handler that bound it would
// refuse requests over a header that is to be ignored. Left out are webhooks and
// callbacks too, which a server calls and does not serve.
func Load(d *document.Document, keyHeader string) (*openapi3.T, error) {
	stripped := d.Clone()
	stripped.Root.Delete("webhooks")
	for _, item := range stripped.PathItems() {
		holders := []*document.Node{item}
		for _, method := range document.Methods {
			holders = append(holders, item.Get(method))
		}
		for _, holder := range holders {
			holder.Delete("callbacks")
			if list := holder.Get("parameters"); list != nil {
				list.Items = slices.DeleteFunc(list.Items, func(parameter *document.Node) bool {
					return stripped.IsHeader(parameter, keyHeader)
				})
			}
		}
	}
	explainDeprecations(stripped)
	spec, err := openapi3.NewLoader().LoadFromData(stripped.Root.JSON())
	if err != nil {
		return nil, &document.Error{File: d.File, Problem: "kin-openapi cannot read the document: " + err.Error()}
	}
	return spec, nil
}

// explainDeprecations gives a reason where the document has none; oapi-codegen
// would otherwise complain about that in the comment.
func explainDeprecations(d *document.Document) {
	const reason = "x-deprecated-reason"
	d.WalkStructure(func(_ document.Pointer, n *document.Node) {
		if n.Get("deprecated").True() && !n.Has(reason) {
			n.Set(reason, document.NewString("the API's document marks it as deprecated."))
		}
	})
}
