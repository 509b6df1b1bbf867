package catalog

import (
	"context"
	"net/http"

	"github.com/onceberg/onceberg/generated"
)

// Signer signs clients' requests to object storage. Its method is called from
// many goroutines; the caller's name is runtime.Principal's.
type Signer interface {
	// Sign signs one request for a table's files. It decides whether the request
	// may be made at all.
	Sign(ctx context.Context, storage Storage, request generated.RemoteSignRequest) (generated.RemoteSignResult, error)
}

// SignRequest signs a request, or answers 501 when no Signer is configured.
func (c *Catalog) SignRequest(ctx context.Context, request generated.SignRequestRequestObject) (generated.SignRequestResponseObject, error) {
	if c.config.Signer == nil {
		return c.Unimplemented.SignRequest(ctx, request)
	}
	id, t, err := c.loadedTable(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	header, err := t.Header()
	if err != nil {
		return nil, err
	}
	body, err := c.config.Signer.Sign(ctx, Storage{
		Namespace: id.namespace, Name: id.name, Location: header.Location, MetadataLocation: t.MetadataLocation,
	}, *request.Body)
	if err != nil {
		return nil, err
	}
	return signed{generated.SignRequest200JSONResponse{Body: body}}, nil
}

// signed is a signature, which no proxy may keep.
type signed struct {
	generated.SignRequest200JSONResponse
}

// VisitSignRequestResponse writes the response.
func (s signed) VisitSignRequestResponse(w http.ResponseWriter) error {
	w.Header().Set("Cache-Control", "private")
	return s.SignRequest200JSONResponse.VisitSignRequestResponse(w)
}
