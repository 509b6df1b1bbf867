package catalog

import (
	"context"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generated"
)

// Storage says for which files access is asked.
type Storage struct {
	// Namespace and Name are the table's; Name is empty when a replay does not
	// know it any more.
	Namespace []string
	Name      string
	// Location is the table's base location.
	Location string
	// MetadataLocation is where its metadata file is, empty for a staged table.
	MetadataLocation string
}

// Credentials vends access to storage. Its methods are called from many
// goroutines; the caller's name is runtime.Principal's.
type Credentials interface {
	// Vend returns credentials that reach a table's files. They go to the client
	// and are stored nowhere. None is no error.
	Vend(ctx context.Context, storage Storage) ([]generated.StorageCredential, error)
}

// vendedCredentials is how a client asks for them, in
// X-Iceberg-Access-Delegation.
const vendedCredentials = "vended-credentials"

// wantsCredentials reports whether a client asks for credentials that there are.
func (c *Catalog) wantsCredentials(access *generated.DataAccess) bool {
	return c.config.Credentials != nil && access != nil && slices.ContainsFunc(*access, func(way string) bool {
		return strings.TrimSpace(way) == vendedCredentials
	})
}

// LoadCredentials returns fresh credentials for a table's files, an empty list
// when none are configured.
func (c *Catalog) LoadCredentials(ctx context.Context, request generated.LoadCredentialsRequestObject) (generated.LoadCredentialsResponseObject, error) {
	id, t, err := c.loadedTable(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	body := generated.LoadCredentialsResponse{StorageCredentials: []generated.StorageCredential{}}
	if c.config.Credentials != nil {
		vended, err := c.vend(ctx, id, t)
		if err != nil {
			return nil, err
		}
		body.StorageCredentials = append(body.StorageCredentials, vended...)
	}
	return generated.LoadCredentials200JSONResponse{Body: body}, nil
}
