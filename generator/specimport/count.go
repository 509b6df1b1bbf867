package specimport

import "github.com/onceberg/onceberg/generator/document"

// countOperations returns the operations below paths, and how many of them
// declare the header, at the operation or at its path item.
func countOperations(d *document.Document, headerName string) (total, declaring int) {
	for _, item := range d.PathItems() {
		for _, method := range document.Methods {
			op := item.Get(method)
			if op == nil {
				continue
			}
			total++
			if declares(d, item, headerName) || declares(d, op, headerName) {
				declaring++
			}
		}
	}
	return total, declaring
}

func declares(d *document.Document, owner *document.Node, headerName string) bool {
	for _, parameter := range owner.Get("parameters").Elements() {
		if d.IsHeader(parameter, headerName) {
			return true
		}
	}
	return false
}
