package specimport

import (
	"bytes"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// Import reads an OpenAPI document (YAML or JSON, 3.0.x or 3.1.x) and returns its
// interface facts as YAML, under a header that says where they came from. The
// result depends on the arguments alone.
//
// When source is itself the result of an import, it keeps the SHA-256 of the
// document it was made from, and the fields of prov that are empty are taken from
// its header; so importing twice changes nothing.
//
// Faults of the document are reported as *Error, faults of prov as other errors.
func Import(source []byte, prov Provenance) ([]byte, error) {
	origin, err := originOf(source, prov)
	if err != nil {
		return nil, err
	}
	tree, err := parse(source)
	if err != nil {
		return nil, err
	}
	if tree, err = resolve(tree); err != nil {
		return nil, err
	}
	if err := requireOpenAPI(tree); err != nil {
		return nil, err
	}
	if tree, err = strip(document, tree, nil); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	origin.writeHeader(&out, tree)
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(tree); err != nil {
		return nil, &Error{Reason: "writing YAML: " + err.Error()}
	}
	return out.Bytes(), nil
}

var supportedVersion = regexp.MustCompile(`^3\.[01]\.[0-9]+(-[0-9A-Za-z.-]+)?$`)

// requireOpenAPI checks what makes a document one of OpenAPI at all. The rest is
// checked where it is read.
func requireOpenAPI(root *yaml.Node) error {
	if root.Kind != yaml.MappingNode {
		return faultAt(root, nil, "not an OpenAPI document: its top level is %s", describe(root))
	}
	version := child(root, "openapi")
	if version == nil {
		if swagger := child(root, "swagger"); swagger != nil {
			return faultAt(swagger, nil, "this is a Swagger %s document; OpenAPI 3.0.x and 3.1.x are supported", swagger.Value)
		}
		return faultAt(root, nil, "not an OpenAPI document: it has no openapi key")
	}
	if version.Tag != strTag || !supportedVersion.MatchString(version.Value) {
		return faultAt(version, (*trail)(nil).to("openapi"),
			"unsupported OpenAPI version %q; 3.0.x and 3.1.x are supported", version.Value)
	}
	if child(root, "info") == nil {
		return faultAt(root, nil, "the document has no info")
	}
	if child(root, "paths") != nil {
		return nil
	}
	if version.Value < "3.1" {
		return faultAt(root, nil, "the document has no paths")
	}
	if child(root, "components") == nil && child(root, "webhooks") == nil {
		return faultAt(root, nil, "the document has no paths, components or webhooks")
	}
	return nil
}
