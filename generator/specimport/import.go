package specimport

import (
	"bytes"

	"github.com/onceberg/onceberg/generator/document"
)

// Import reads an OpenAPI document (YAML or JSON, 3.0.x or 3.1.x) and returns its
// interface facts as YAML, under a header that says where they came from. file
// names the source in errors; the result depends on the other arguments alone.
//
// When source is itself the result of an import, it keeps the SHA-256 of the
// document it was made from, and the fields of prov that are empty are taken from
// its header; so importing twice changes nothing.
//
// Faults of the document are reported as *document.Error, faults of prov as other
// errors.
func Import(file string, source []byte, prov Provenance) ([]byte, error) {
	d, err := document.Parse(file, source)
	if err != nil {
		return nil, err
	}
	origin, err := originOf(d, source, prov)
	if err != nil {
		return nil, err
	}
	if err := requireOpenAPI(d); err != nil {
		return nil, err
	}
	if err := Strip(d); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	origin.writeHeader(&out, d)
	if err := writeYAML(&out, d.Root); err != nil {
		return nil, d.Errorf("", "cannot be written as YAML: %v", err)
	}
	return out.Bytes(), nil
}

// requireOpenAPI checks what makes a document one of OpenAPI at all. The rest is
// checked where it is read. Unlike the generator it takes a document without
// operations, which other documents may refer to.
func requireOpenAPI(d *document.Document) error {
	if err := d.CheckVersion(); err != nil {
		return err
	}
	switch root := d.Root; {
	case !root.Has("info"):
		return d.Errorf("", "the document has no info")
	case root.Has("paths"):
		return nil
	case !d.Is31():
		return d.Errorf("", "the document has no paths")
	case !root.Has("components") && !root.Has("webhooks"):
		return d.Errorf("", "the document has no paths, components or webhooks")
	}
	return nil
}
