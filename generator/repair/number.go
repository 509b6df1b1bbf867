package repair

import "github.com/onceberg/onceberg/generator/document"

// exactNumbers keeps numbers whose format does not say that they are floating
// point: an amount of money may have more digits than a float64. Parameters stay
// as they are, since they are not JSON.
func exactNumbers(f *fixer) error {
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		format := n.Get("format").Str()
		if !isType(n, "number") || n.Has("x-go-type") || format == "float" || format == "double" || isParameter(p) {
			return
		}
		n.Set("x-go-type", document.NewString("json.Number"))
		f.fixed(p, "a number that no format calls float or double may have more digits than a float64; it is a json.Number")
	})
	return nil
}

// isParameter reports whether a pointer leads into a parameter or a header.
func isParameter(p document.Pointer) bool {
	tokens := p.Tokens()
	for i, token := range tokens {
		if token == "properties" || token == "schemas" {
			return false
		}
		if (token == "parameters" || token == "headers") && i > 0 {
			return true
		}
	}
	return false
}
