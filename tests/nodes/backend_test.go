package nodes

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// resource is something that mutations change: a namespace or a table.
type resource struct {
	bun.BaseModel `bun:"table:resources"`

	Name    string `bun:",pk"`
	Version int64
}

// execution is a mutation that was applied.
type execution struct {
	bun.BaseModel `bun:"table:executions"`

	ID        int64 `bun:",pk,autoincrement"`
	Key       string
	Node      string
	Operation string
	Resource  string
	Version   int64     // of the resource, afterwards
	At        time.Time `bun:",nullzero,notnull,default:clock_timestamp()"`
}

// backend is a catalog of versions. It writes to the store's own database, by
// the store's transaction where there is one and by its own where not.
type backend struct {
	generated.Unimplemented

	node   string
	db     *bun.DB
	points *points
	calls  callCount // of the node's guard
}

// execute applies a change and the row that counts it, together. The change
// returns the resource's new version, or the refusal.
func (b *backend) execute(
	ctx context.Context, operation, name string, change func(context.Context, bun.Tx) (int64, error),
) (*execution, error) {
	b.points.pass(ctx, beforeWrite)
	done := &execution{Key: keyOf(ctx), Node: b.node, Operation: operation, Resource: name}
	err := sqlstore.DB(ctx, b.db).RunInTx(ctx, nil, func(_ context.Context, tx bun.Tx) (err error) {
		if done.Version, err = change(ctx, tx); err != nil {
			return err
		}
		if _, err = tx.NewInsert().Model(done).Returning("id").Exec(ctx); err != nil {
			return err
		}
		b.points.pass(ctx, beforeCommit)
		return nil
	})
	if err != nil {
		return nil, err
	}
	b.points.pass(ctx, afterWrite)
	return done, nil
}

// CreateNamespace refuses a name that is there.
func (b *backend) CreateNamespace(
	ctx context.Context, r generated.CreateNamespaceRequestObject,
) (generated.CreateNamespaceResponseObject, error) {
	name := namespace(strings.Join(r.Body.Namespace, "."))
	done, err := b.execute(ctx, "createNamespace", name, func(ctx context.Context, tx bun.Tx) (int64, error) {
		made, err := tx.NewInsert().Model(&resource{Name: name, Version: 1}).On("CONFLICT (name) DO NOTHING").Exec(ctx)
		return 1, oneRow(made, err, runtime.Errorf(http.StatusConflict, "AlreadyExistsException", "%s is there", name))
	})
	if err != nil {
		return nil, err
	}
	return created(done), nil
}

// DropNamespace refuses a name that is not there.
func (b *backend) DropNamespace(
	ctx context.Context, r generated.DropNamespaceRequestObject,
) (generated.DropNamespaceResponseObject, error) {
	name := namespace(r.Namespace)
	_, err := b.execute(ctx, "dropNamespace", name, func(ctx context.Context, tx bun.Tx) (int64, error) {
		gone, err := tx.NewDelete().Model((*resource)(nil)).Where("name = ?", name).Exec(ctx)
		return 0, oneRow(gone, err, runtime.Errorf(http.StatusNotFound, "NoSuchNamespaceException", "no %s", name))
	})
	if err != nil {
		return nil, err
	}
	return generated.DropNamespace204Response{}, nil
}

// UpdateTable refuses a commit that was made for another version.
func (b *backend) UpdateTable(
	ctx context.Context, r generated.UpdateTableRequestObject,
) (generated.UpdateTableResponseObject, error) {
	base, err := requiredVersion(r.Body.Requirements)
	if err != nil {
		return nil, err
	}
	name := table(r.Table)
	done, err := b.execute(ctx, "updateTable", name, func(ctx context.Context, tx bun.Tx) (int64, error) {
		moved, err := tx.NewUpdate().Model((*resource)(nil)).Set("version = version + 1").
			Where("name = ?", name).Where("version = ?", base).Exec(ctx)
		return base + 1, oneRow(moved, err, runtime.Errorf(http.StatusConflict, "CommitFailedException", "%s is not at %d", name, base))
	})
	if err != nil {
		return nil, err
	}
	return committed(done), nil
}

// requiredVersion reads the snapshot that a commit was made for.
func requiredVersion(requirements []generated.TableRequirement) (int64, error) {
	for _, text := range requirements {
		var r struct {
			Type     string `json:"type"`
			Snapshot int64  `json:"snapshot-id"`
		}
		if err := json.Unmarshal(text, &r); err == nil && r.Type == "assert-ref-snapshot-id" {
			return r.Snapshot, nil
		}
	}
	return 0, runtime.Errorf(http.StatusBadRequest, "", "the commit has no assert-ref-snapshot-id")
}

// UpdateProperties counts the namespace up, as often as it is run: a mutation of
// which a second execution does not fail.
func (b *backend) UpdateProperties(
	ctx context.Context, r generated.UpdatePropertiesRequestObject,
) (generated.UpdatePropertiesResponseObject, error) {
	name := namespace(r.Namespace)
	done, err := b.execute(ctx, "updateProperties", name, func(ctx context.Context, tx bun.Tx) (version int64, err error) {
		err = tx.NewUpdate().Model((*resource)(nil)).Set("version = version + 1").Where("name = ?", name).
			Returning("version").Scan(ctx, &version)
		return version, noRow(err, runtime.Errorf(http.StatusNotFound, "NoSuchNamespaceException", "no %s", name))
	})
	if err != nil {
		return nil, err
	}
	return updated(done), nil
}
