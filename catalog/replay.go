package catalog

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// summaryVersion is raised when a summary's form changes, so that a node never
// misreads what another one wrote.
const summaryVersion = 1

// summary is what a record keeps of a response, in place of the metadata, which
// may be megabytes: where the file is. Metadata files never change, so a replay
// shows exactly the version that the first attempt made.
type summary struct {
	Version   int      `json:"v"`
	Namespace []string `json:"n,omitempty"`
	Name      string   `json:"t,omitempty"`
	Location  string   `json:"m,omitempty"`
	// Credentials says that the client asked for some.
	Credentials bool `json:"c,omitempty"`
	// Staged is the metadata of a table that has no file.
	Staged json.RawMessage `json:"s,omitempty"`
	// Plan is the scan, or the part of one, that was planned.
	Plan json.RawMessage `json:"p,omitempty"`
}

func (s summary) id() identifier { return identifier{s.Namespace, s.Name} }

func summarizeTable(ctx context.Context, id identifier, t *tables.Table, credentials bool) {
	s := summary{Namespace: id.namespace, Name: id.name, Location: t.MetadataLocation, Credentials: credentials}
	if t.MetadataLocation == "" {
		s.Staged = t.Metadata
	}
	summarize(ctx, s)
}

func summarizeView(ctx context.Context, id identifier, location string) {
	summarize(ctx, summary{Namespace: id.namespace, Name: id.name, Location: location})
}

// summarize hands the guard a summary. One that cannot be encoded is left out,
// and the guard stores the response itself.
func summarize(ctx context.Context, s summary) {
	s.Version = summaryVersion
	if text, err := json.Marshal(s); err == nil {
		runtime.Summarize(ctx, text)
	}
}

// Replay implements runtime.Replayer: it rebuilds a response from the metadata
// file and vends fresh credentials.
func (c *Catalog) Replay(ctx context.Context, op *runtime.Operation, text []byte) (runtime.Response, error) {
	var s summary
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("the summary cannot be read: %w", err)
	}
	if s.Version != summaryVersion {
		return nil, fmt.Errorf("the summary has version %d, which this release does not know", s.Version)
	}
	switch op.ID {
	case "createView", "replaceView", "registerView":
		return c.replayView(ctx, op, s)
	case "planTableScan", "fetchScanTasks":
		return c.replayPlan(ctx, op, s)
	}
	return c.replayTable(ctx, op, s)
}

func (c *Catalog) replayTable(ctx context.Context, op *runtime.Operation, s summary) (runtime.Response, error) {
	t := &tables.Table{Metadata: s.Staged}
	if s.Staged == nil {
		var err error
		if t, err = c.readTable(ctx, s.Location); err != nil {
			return nil, gone(err)
		}
	}
	switch op.ID {
	case "updateTable":
		return committed(t).VisitUpdateTableResponse, nil
	case "unregisterTable":
		return unregistered(t).VisitUnregisterTableResponse, nil
	}
	body, err := c.tableResult(ctx, s.id(), t, t.Metadata, s.Credentials && c.config.Credentials != nil)
	if err != nil {
		return nil, err
	}
	switch op.ID {
	case "createTable":
		return generated.CreateTable200JSONResponse{
			Body: body, Headers: generated.CreateTable200ResponseHeaders{ETag: etagOf(t)},
		}.VisitCreateTableResponse, nil
	case "registerTable":
		return generated.RegisterTable200JSONResponse{
			Body: body, Headers: generated.RegisterTable200ResponseHeaders{ETag: etagOf(t)},
		}.VisitRegisterTableResponse, nil
	}
	return nil, fmt.Errorf("operation %s has no summaries", op.ID)
}

func (c *Catalog) replayView(ctx context.Context, op *runtime.Operation, s summary) (runtime.Response, error) {
	v, err := c.readView(ctx, s.Location)
	if err != nil {
		return nil, gone(err)
	}
	body := viewResult(v)
	switch op.ID {
	case "createView":
		return generated.CreateView200JSONResponse{Body: body}.VisitCreateViewResponse, nil
	case "replaceView":
		return generated.ReplaceView200JSONResponse{Body: body}.VisitReplaceViewResponse, nil
	}
	return generated.RegisterView200JSONResponse{Body: body}.VisitRegisterViewResponse, nil
}

// gone explains the one way in which a file that was there cannot be read.
func gone(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fmt.Errorf("the metadata file of this version has been deleted since: %w", err)
	}
	return err
}
