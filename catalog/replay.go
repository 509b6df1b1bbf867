package catalog

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/catalog/metadata/views"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// summaryVersion is raised when a summary's form changes, so that a node never
// misreads what another one wrote.
const summaryVersion = 1

// summary is what a record keeps of a response, in place of the metadata, which
// may be megabytes: where the file is. Metadata files never change, so a replay
// shows exactly the version that the first attempt made, for as long as its file is
// there.
type summary struct {
	Version   int      `json:"v"`
	Namespace []string `json:"n,omitempty"`
	Name      string   `json:"t,omitempty"`
	Location  string   `json:"m,omitempty"`
	// UUID is the table's or view's, by which newer versions of it are known.
	UUID string `json:"u,omitempty"`
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
	} else if header, err := t.Header(); err == nil {
		s.UUID = header.UUID
	}
	summarize(ctx, s)
}

func summarizeView(ctx context.Context, id identifier, v *views.View) {
	s := summary{Namespace: id.namespace, Name: id.name, Location: v.MetadataLocation}
	if header, err := v.Header(); err == nil {
		s.UUID = header.UUID
	}
	summarize(ctx, s)
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
	replay := c.replayTable
	switch op.ID {
	case "createView", "replaceView", "registerView":
		replay = c.replayView
	case "planTableScan", "fetchScanTasks":
		replay = c.replayPlan
	}
	response, err := replay(ctx, op, s)
	return response, answerTo(err)
}

func (c *Catalog) replayTable(ctx context.Context, op *runtime.Operation, s summary) (runtime.Response, error) {
	t := &tables.Table{Metadata: s.Staged}
	if s.Staged == nil {
		var err error
		if t, err = c.replayedTable(ctx, s); err != nil {
			return nil, err
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
	location, text, err := c.versionOf(ctx, s, database.View)
	if err != nil {
		return nil, err
	}
	body := viewResult(&views.View{MetadataLocation: location, Metadata: text})
	switch op.ID {
	case "createView":
		return generated.CreateView200JSONResponse{Body: body}.VisitCreateViewResponse, nil
	case "replaceView":
		return generated.ReplaceView200JSONResponse{Body: body}.VisitReplaceViewResponse, nil
	}
	return generated.RegisterView200JSONResponse{Body: body}.VisitRegisterViewResponse, nil
}
