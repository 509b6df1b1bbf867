package spec

import (
	_ "embed"

	"github.com/onceberg/onceberg/generator/specimport"
)

//go:embed rest-catalog-open-api.yaml
var document string

//go:embed summaries.yaml
var summaries string

// Document returns the interface facts as an OpenAPI document in YAML. Each call
// returns a copy of its own.
func Document() []byte { return []byte(document) }

// Summaries returns the YAML file of one-line summaries: below operations by
// operationId, below schemas by name. Each call returns a copy of its own.
func Summaries() []byte { return []byte(summaries) }

// Provenance returns where the facts come from, and the hex SHA-256 of the
// upstream file they were taken from. Both are zero when the document lacks its
// header, which the package's tests rule out.
func Provenance() (prov specimport.Provenance, sha256 string) {
	prov, sha256, _ = specimport.ReadProvenance(Document())
	return prov, sha256
}
