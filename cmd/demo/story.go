package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/google/uuid"
)

const (
	body      = `{"namespace":["demo"],"properties":{"owner":"onceberg"}}`
	otherBody = `{"namespace":["demo"],"properties":{"owner":"somebody else"}}`
)

// story plays a lost answer against the server at url.
func story(ctx context.Context, r *report, url string) error {
	keys := [2]string{}
	for i := range keys {
		key, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("making a key: %w", err)
		}
		keys[i] = key.String()
	}
	for _, chapter := range []struct {
		title string
		play  func() error
	}{
		{"The server says how long a key may be retried", func() error { return lifetime(ctx, r, url) }},
		{"Create a namespace, and lose the answer", func() error { return loseAnswer(ctx, r, url, keys[0]) }},
		{"Retry with the same key", func() error { return retry(ctx, r, url, keys[0]) }},
		{"Send the same create with a second key", func() error {
			return refused(ctx, r, url, keys[1], body, http.StatusConflict, "AlreadyExistsException")
		}},
		{"Send another body with the first key", func() error {
			return refused(ctx, r, url, keys[0], otherBody, http.StatusUnprocessableEntity, "IdempotencyKeyReusedException")
		}},
	} {
		r.begin(chapter.title)
		if err := chapter.play(); err != nil {
			return err
		}
	}
	return nil
}

func lifetime(ctx context.Context, r *report, url string) error {
	a, err := send(ctx, http.MethodGet, url+"/v1/config", "", "")
	if err != nil {
		return err
	}
	advertised, _ := a.json["idempotency-key-lifetime"].(string)
	if a.status != http.StatusOK || advertised == "" {
		return fmt.Errorf("no lifetime is advertised: %s", a)
	}
	r.done("GET /v1/config: idempotency-key-lifetime is %s", advertised)
	return nil
}

func loseAnswer(ctx context.Context, r *report, url, key string) (err error) {
	proxy, err := startLossyProxy(url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, proxy.close()) }()
	r.detail("POST /v1/namespaces %s", body)
	r.detail("Idempotency-Key: %s", key)
	a, err := send(ctx, http.MethodPost, proxy.url+"/v1/namespaces", key, body)
	if err == nil {
		return fmt.Errorf("the answer was not lost: %s", a)
	}
	select {
	case status := <-proxy.lost:
		if status != http.StatusOK {
			return fmt.Errorf("the server answered %d", status)
		}
	default:
		return fmt.Errorf("the request did not get to the server: %w", err)
	}
	r.done("the server answered 200; the client only sees a broken connection")
	return nil
}

func retry(ctx context.Context, r *report, url, key string) error {
	a, err := send(ctx, http.MethodPost, url+"/v1/namespaces", key, body)
	if err != nil {
		return err
	}
	if a.status != http.StatusOK || a.header.Get("Idempotency-Replayed") != "true" || a.text != body {
		return fmt.Errorf("this is no replay of the first answer: %s", a)
	}
	r.done("%d, Idempotency-Replayed: true", a.status)
	r.detail("%s", a.text)
	return nil
}

func refused(ctx context.Context, r *report, url, key, body string, status int, typ string) error {
	a, err := send(ctx, http.MethodPost, url+"/v1/namespaces", key, body)
	if err != nil {
		return err
	}
	e, _ := a.json["error"].(map[string]any)
	if a.status != status || e["type"] != typ || a.header.Get("Idempotency-Replayed") != "" {
		return fmt.Errorf("%d %s was expected: %s", status, typ, a)
	}
	r.done("%d %s: %s", a.status, typ, e["message"])
	return nil
}

// answer is a response with its body.
type answer struct {
	status int
	header http.Header
	text   string
	json   map[string]any
}

// String shows what a step did not expect.
func (a answer) String() string {
	return fmt.Sprintf("%d, Idempotency-Replayed: %q, %s", a.status, a.header.Get("Idempotency-Replayed"), a.text)
}

// send sends one request over a connection of its own, since on a used one Go's
// client may repeat it by itself.
func send(ctx context.Context, method, url, key, body string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, fmt.Errorf("making a request: %w", err)
	}
	request.Close = true
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, fmt.Errorf("reading the answer: %w", err)
	}
	a := answer{status: response.StatusCode, header: response.Header, text: string(bytes.TrimSpace(text))}
	_ = json.Unmarshal(text, &a.json) // whoever looks into it finds nothing
	return a, nil
}
