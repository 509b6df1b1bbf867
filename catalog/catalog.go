package catalog

import (
	"time"

	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// Config says what a Catalog tells its clients about itself. The zero value
// works.
type Config struct {
	// Warehouses are the names that clients may ask for in GET /v1/config; any
	// other is a 404. All of them stand for the one catalog there is. Without
	// any, every name is accepted.
	Warehouses []string
	// Separator joins the levels of a namespace in a path, beside the unit
	// separator, which is always understood. It is URL-encoded text, such as
	// %2E, and advertised when it is not the default, %1F.
	Separator string
	// KeyLifetime is how long clients may retry with one Idempotency-Key. Zero
	// means that keys are not honoured, and advertises nothing.
	KeyLifetime time.Duration
	// LifetimeInDefaults advertises KeyLifetime among the defaults too, for
	// clients that do not read the field the document has for it.
	LifetimeInDefaults bool
}

// Catalog is an Iceberg catalog in memory. It is safe for concurrent use; make
// one with New.
type Catalog struct {
	generated.Unimplemented
	config    Config
	separator separator
	tree      tree
}

var _ generated.StrictServerInterface = (*Catalog)(nil)

// New returns an empty catalog. A Separator that cannot be used is an error.
func New(config Config) (*Catalog, error) {
	s, err := newSeparator(config.Separator)
	if err != nil {
		return nil, err
	}
	return &Catalog{config: config, separator: s}, nil
}

// Served lists the operations that a Catalog implements.
func Served() []*runtime.Operation {
	ids := []string{
		"getConfig",
		"listNamespaces",
		"createNamespace",
		"loadNamespaceMetadata",
		"namespaceExists",
		"dropNamespace",
		"updateProperties",
	}
	served := make([]*runtime.Operation, len(ids))
	for i, id := range ids {
		served[i] = generated.FindOperation(id)
	}
	return served
}
