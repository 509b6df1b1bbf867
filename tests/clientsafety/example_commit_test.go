package clientsafety_test

import (
	"context"
	"errors"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/generated"
)

// connect opens a catalog whose mutations are sent again until it is known what
// became of them. Any other client takes http.Client{Transport: transport}.
func connect(ctx context.Context, url string) (*rest.Catalog, error) {
	transport, err := client.NewTransport(client.Options{Operations: generated.Operations, MaxAttempts: 3})
	if err != nil {
		return nil, err
	}
	return rest.NewCatalog(ctx, "lake", url, rest.WithCustomTransport(transport))
}

// setOwner commits, and looks at the table where no answer tells what became of
// that. The next load may fail as well; then it is still not known.
func setOwner(ctx context.Context, lake *rest.Catalog, tbl *table.Table, owner string) error {
	tx := tbl.NewTransaction()
	if err := tx.SetProperties(iceberg.Properties{"owner": owner}); err != nil {
		return err
	}
	_, err := tx.Commit(ctx)
	var unsettled *client.Error
	if !errors.As(err, &unsettled) || !unsettled.StateUnknown {
		return err // committed, refused, or not sent
	}
	current, loadErr := lake.LoadTable(ctx, tbl.Identifier())
	switch {
	case loadErr != nil:
		return errors.Join(err, loadErr)
	case current.Properties()["owner"] == owner:
		return nil // it was applied
	}
	return err // not yet: it may still be on its way
}
