package main

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/cmd/server/auth"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// tokenOperation is the one operation that nobody needs a token for.
const tokenOperation = "getToken"

// authenticate returns what tells who makes the requests of an operation.
func (sv *server) authenticate(operation string) echo.MiddlewareFunc {
	if operation == tokenOperation {
		return sv.auth.AtTokenEndpoint
	}
	return sv.auth.Authenticate
}

// withTokens is the catalog with a token endpoint, where one is configured.
type withTokens struct {
	*backend
	auth *auth.Auth
}

var _ generated.StrictServerInterface = withTokens{}

// GetToken issues a token to a client. Clients that have a credential come here by
// themselves unless they are told another place, also where there is no endpoint.
func (w withTokens) GetToken(ctx context.Context, _ generated.GetTokenRequestObject) (generated.GetTokenResponseObject, error) {
	if !w.auth.Grants() {
		return nil, runtime.Errorf(http.StatusNotImplemented, "",
			"This server gives out no tokens; the client's oauth2-server-uri has to name who does")
	}
	return w.auth.Grant(ctx)
}

// exchangeProperty tells Java's client not to renew a token by exchanging it. It
// would by default, and send its secret only after some refusals.
const exchangeProperty = "token-exchange-enabled"

// GetConfig tells of the token endpoint too.
func (w withTokens) GetConfig(ctx context.Context, request generated.GetConfigRequestObject) (generated.GetConfigResponseObject, error) {
	response, err := w.backend.GetConfig(ctx, request)
	config, ok := response.(generated.GetConfig200JSONResponse)
	if err != nil || !ok || !w.auth.Grants() {
		return response, err
	}
	endpoints := append(*config.Body.Endpoints, generated.FindOperation(tokenOperation).Endpoint())
	config.Body.Endpoints = &endpoints
	config.Body.Defaults[exchangeProperty] = "false"
	return config, nil
}
