package main

import (
	"context"
	"crypto/rand"

	"github.com/labstack/echo/v4"
)

type requestIDKey struct{}

// requestID is the id of the request that a context belongs to, if any.
func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// identify gives each request an id, or takes over the one that a proxy gave it,
// and tells the client.
func identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		id := r.Header.Get(echo.HeaderXRequestID)
		if !fitForLog(id) {
			id = rand.Text()
		}
		c.Response().Header().Set(echo.HeaderXRequestID, id)
		c.SetRequest(r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
		return next(c)
	}
}

// fitForLog accepts ids as proxies make them. What a client makes up must not
// blow up our logs.
func fitForLog(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for _, r := range id {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && r != '-' && r != '_' && r != '.' && r != ':' {
			return false
		}
	}
	return true
}
