// Command server serves the generated handlers with an implementation that
// tells what it received. It prints its address and ends when its input does.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"

	"golden.test/iceberg"
)

func main() {
	e := echo.New()
	iceberg.Register(e, server{}, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	s := &http.Server{Handler: e}
	go func() {
		if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			panic(err)
		}
	}()
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = s.Close()
}

type server struct{ iceberg.Unimplemented }

func (server) LoadNamespaceMetadata(ctx context.Context, request iceberg.LoadNamespaceMetadataRequestObject) (iceberg.LoadNamespaceMetadataResponseObject, error) {
	var body iceberg.GetNamespaceResponse
	body.Namespace = iceberg.Namespace{request.Namespace}
	body.Properties.Set(map[string]string{
		"prefix":     request.Prefix,
		"raw":        runtime.RawPathValue(ctx, "namespace"),
		"raw-prefix": runtime.RawPathValue(ctx, "prefix"),
	})
	return iceberg.LoadNamespaceMetadata200JSONResponse{Body: body}, nil
}

func (server) CreateNamespace(ctx context.Context, request iceberg.CreateNamespaceRequestObject) (iceberg.CreateNamespaceResponseObject, error) {
	properties := map[string]string{"raw": string(runtime.RawBody(ctx))}
	return iceberg.CreateNamespace200JSONResponse{Body: iceberg.CreateNamespaceResponse{
		Namespace: request.Body.Namespace, Properties: &properties,
	}}, nil
}

func (server) NamespaceExists(_ context.Context, request iceberg.NamespaceExistsRequestObject) (iceberg.NamespaceExistsResponseObject, error) {
	if request.Namespace == "none" {
		return nil, runtime.Errorf(http.StatusNotFound, "NoSuchNamespaceException", "Namespace does not exist: none")
	}
	return iceberg.NamespaceExists204Response{}, nil
}

func (server) DropNamespace(context.Context, iceberg.DropNamespaceRequestObject) (iceberg.DropNamespaceResponseObject, error) {
	return iceberg.DropNamespace204Response{}, nil
}

func (server) ListTables(_ context.Context, request iceberg.ListTablesRequestObject) (iceberg.ListTablesResponseObject, error) {
	token := ""
	if request.Params.PageToken != nil {
		token = *request.Params.PageToken
	}
	switch token {
	case "fail":
		return nil, errors.New("password=hunter2 is in the text of this error")
	case "nothing":
		return nil, nil
	case "wrapped":
		return nil, fmt.Errorf("looking for it: %w", runtime.Errorf(http.StatusNotFound, "NoSuchNamespaceException", "gone <&>"))
	}
	identifiers := []iceberg.TableIdentifier{{Namespace: iceberg.Namespace{token}, Name: "none"}}
	if request.Params.PageSize != nil {
		identifiers[0].Name = fmt.Sprint(*request.Params.PageSize)
	}
	return iceberg.ListTables200JSONResponse{Body: iceberg.ListTablesResponse{Identifiers: &identifiers}}, nil
}

func (server) LoadTable(_ context.Context, request iceberg.LoadTableRequestObject) (iceberg.LoadTableResponseObject, error) {
	if request.Params.IfNoneMatch != nil && *request.Params.IfNoneMatch == `"v1"` {
		return iceberg.LoadTable304Response{}, nil
	}
	config := map[string]string{}
	if request.Params.XIcebergAccessDelegation != nil {
		config["delegation"] = strings.Join(*request.Params.XIcebergAccessDelegation, "|")
	}
	if request.Params.IfNoneMatch != nil {
		config["if-none-match"] = *request.Params.IfNoneMatch
	}
	tag := `"v1"`
	return iceberg.LoadTable200JSONResponse{
		Body:    iceberg.LoadTableResult{Config: &config, Metadata: iceberg.TableMetadata{TableUuid: "<&>", FormatVersion: 2}},
		Headers: iceberg.LoadTable200ResponseHeaders{ETag: &tag},
	}, nil
}

func (server) UpdateTable(_ context.Context, request iceberg.UpdateTableRequestObject) (iceberg.UpdateTableResponseObject, error) {
	location := ""
	for _, requirement := range request.Body.Requirements {
		value, err := requirement.ValueByDiscriminator()
		if err != nil {
			return nil, err
		}
		if ref, ok := value.(iceberg.AssertRefSnapshotId); ok {
			location += fmt.Sprintf("%s null=%t", ref.Ref, ref.SnapshotId.IsNull())
			if id, err := ref.SnapshotId.Get(); err == nil {
				location += fmt.Sprintf(" %d", id)
			}
		}
	}
	return iceberg.UpdateTable200JSONResponse{Body: iceberg.CommitTableResponse{
		MetadataLocation: location, Metadata: iceberg.TableMetadata{TableUuid: "u", FormatVersion: 2},
	}}, nil
}
