package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/onceberg/onceberg/runtime"
)

const (
	configPath = "/v1/config"
	// maxConfig is the largest configuration that is looked into.
	maxConfig = 1 << 20
)

// getConfig names the question for a lifetime in errors.
var getConfig = &runtime.Operation{ID: "getConfig", Method: http.MethodGet, Path: configPath}

// observe learns from a configuration that passes by. The caller gets the same
// bytes, and the same error at the same place.
func (t *Transport) observe(r *http.Request, response *http.Response) {
	if r.Method != http.MethodGet && r.Method != "" || response.StatusCode != http.StatusOK ||
		r.URL == nil || r.URL.Opaque != "" || response.Header.Get("Content-Encoding") != "" {
		return
	}
	base, ok := strings.CutSuffix(r.URL.EscapedPath(), configPath)
	if !ok {
		return
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxConfig))
	rest := io.Reader(response.Body)
	if err != nil {
		rest = failure{err}
	}
	response.Body = prefixed{io.MultiReader(bytes.NewReader(text), rest), response.Body}
	if err != nil || len(text) == maxConfig || !json.Valid(text) {
		return
	}
	lifetime, bad := advertised(text)
	t.registry.learn(origin(r)+base, lifetime, bad)
}

// failure is a reader that has come to an error.
type failure struct{ error }

func (f failure) Read([]byte) (int, error) { return 0, f.error }

// lifetime returns for how long the server's keys may be retried, 0 when it does
// not advertise that. A server that has not been heard of is asked, by one
// request for all that come meanwhile.
func (t *Transport) lifetime(r *http.Request, m match) (lifetime time.Duration, err error) {
	url := origin(r) + m.base
	for {
		s, first := t.registry.ask(url)
		switch {
		case s.known:
			return s.lifetime, s.bad
		case first:
			defer func() { t.registry.answered(url, s.asking, err) }()
			return t.ask(r, m.op, url)
		}
		select {
		case <-s.asking.done:
		case <-r.Context().Done():
			return 0, r.Context().Err()
		}
		if err := s.asking.err; err != nil && !ended(err) {
			return 0, err
		}
	}
}

// ended reports whether an error is about the time of the request that met it,
// which is nothing to any other.
func ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// ask gets the configuration with the credentials of the request that needs it.
// A refusal to anybody is remembered as no advertisement; one to this caller is
// not.
func (t *Transport) ask(r *http.Request, op *runtime.Operation, url string) (time.Duration, error) {
	text, err := t.getConfig(r, op, url)
	switch {
	case err != nil:
		return 0, fmt.Errorf("asking for the lifetime of keys: %w", err)
	case text == nil:
		return 0, nil
	}
	lifetime, bad := advertised(text)
	t.registry.learn(url, lifetime, bad)
	return lifetime, bad
}

// getConfig returns the configuration, nil when it is refused.
func (t *Transport) getConfig(r *http.Request, op *runtime.Operation, url string) ([]byte, error) {
	q, err := question(r, op, url)
	if err != nil {
		return nil, err
	}
	response, err := (&errand{t: t, op: getConfig, request: q}).run()
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		if runtime.Final(response.StatusCode) {
			t.registry.learn(url, 0, nil)
		}
		return nil, nil
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxConfig))
	if err == nil && !json.Valid(text) {
		// What it is instead is not quoted, since it may hold a secret.
		err = errors.New("the server's configuration is not JSON, or larger than 1 MiB")
	}
	return text, err
}

// question is a request for the configuration, in the name of another request.
func question(r *http.Request, op *runtime.Operation, url string) (*http.Request, error) {
	q, err := http.NewRequestWithContext(r.Context(), http.MethodGet, url+configPath, http.NoBody)
	if err != nil {
		return nil, err
	}
	q.Host = r.Host
	for name, values := range r.Header {
		switch name {
		case op.KeyHeader, "Content-Type", "Content-Length", "Content-Encoding", "Accept-Encoding", "Expect":
		default:
			q.Header[name] = slices.Clone(values)
		}
	}
	return q, nil
}

// advertised reads the lifetime out of a configuration, 0 when it has none.
func advertised(config []byte) (time.Duration, error) {
	var fields struct {
		Lifetime *string `json:"idempotency-key-lifetime"`
	}
	if err := json.Unmarshal(config, &fields); err != nil {
		return 0, fmt.Errorf("the server's configuration cannot be read: %w", err)
	}
	if fields.Lifetime == nil {
		return 0, nil
	}
	lifetime, err := parseLifetime(*fields.Lifetime)
	if err != nil {
		return 0, fmt.Errorf("the server advertises idempotency-key-lifetime %.100q: %w", *fields.Lifetime, err)
	}
	return lifetime, nil
}
