package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/generated"
)

// story plays lost answers against the server at url.
func story(ctx context.Context, r *report, url string) (err error) {
	network := newConnections()
	direct, err := open(ctx, url, network)
	if err != nil {
		return err
	}
	proxy, err := lossyNetwork(url)
	if err != nil {
		return errors.Join(err, direct.Close())
	}
	defer func() { err = errors.Join(err, direct.Close(), proxy.Close()) }()
	for _, chapter := range []struct {
		title string
		play  func() error
	}{
		{"The server says how long a key may be retried", func() error { return lifetime(ctx, r, url) }},
		{"Append rows with iceberg-go, client.Transport its one option, and lose the answer", func() error {
			return withKey(ctx, r, proxy.URL, direct)
		}},
		{"The same loss without keys: iceberg-go on a transport that just sends again", func() error {
			return withoutKey(ctx, r, proxy.URL, direct)
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
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/v1/config", nil)
	if err != nil {
		return fmt.Errorf("making a request: %w", err)
	}
	response, err := newConnections().RoundTrip(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var config struct {
		Lifetime string `json:"idempotency-key-lifetime"`
	}
	if err := json.NewDecoder(response.Body).Decode(&config); err != nil {
		return fmt.Errorf("reading the configuration: %w", err)
	}
	if config.Lifetime == "" {
		return errors.New("no lifetime is advertised")
	}
	r.done("GET /v1/config: idempotency-key-lifetime is %s", config.Lifetime)
	return nil
}

func withKey(ctx context.Context, r *report, url string, direct lake) error {
	var commit []client.Attempt
	transport, err := client.NewTransport(client.Options{
		Operations: generated.Operations,
		Base:       newConnections(),
		OnAttempt: func(a client.Attempt) {
			if a.Operation.ID == "updateTable" {
				commit = append(commit, a)
			}
		},
	})
	if err != nil {
		return err
	}
	const name = "safe"
	if err := appendRows(ctx, r, url, transport, name); err != nil {
		return fmt.Errorf("the append failed: %w", err)
	}
	for _, a := range commit {
		r.attempt(a.Number, a.Status, a.Replayed)
	}
	if len(commit) != 2 || commit[0].Status != 0 || commit[1].Status != http.StatusOK ||
		commit[0].Key != commit[1].Key || !commit[1].Replayed {
		return errors.New("this is no lost answer and a replay of it")
	}
	r.detail("both with Idempotency-Key: %s", commit[0].Key)
	r.done("iceberg-go noticed nothing: the append succeeded")
	return appliedOnce(ctx, r, direct, name)
}

func withoutKey(ctx context.Context, r *report, url string, direct lake) error {
	const name = "unsafe"
	last := 0
	err := appendRows(ctx, r, url, resender{newConnections(), func(number, status int) {
		r.attempt(number, status, false)
		last = status
	}}, name)
	if !errors.Is(err, rest.ErrCommitFailed) || last != http.StatusConflict {
		return fmt.Errorf("a conflict was expected: %w", err)
	}
	r.done("iceberg-go reports a failure:")
	r.detail("%v", err)
	if err := appliedOnce(ctx, r, direct, name); err != nil {
		return err
	}
	r.detail("but whoever believes the failure appends them again, or deletes files in use")
	return nil
}

// appendRows creates a table, and the namespace if need be, and appends rows.
func appendRows(ctx context.Context, r *report, url string, transport http.RoundTripper, name string) (err error) {
	l, err := open(ctx, url, transport)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	exists, err := l.CheckNamespaceExists(ctx, table.Identifier{namespace})
	if err == nil && !exists {
		err = l.CreateNamespace(ctx, table.Identifier{namespace}, nil)
	}
	if err != nil {
		return fmt.Errorf("creating the namespace: %w", err)
	}
	tbl, err := l.CreateTable(ctx, table.Identifier{namespace, name}, people)
	if err != nil {
		return fmt.Errorf("creating the table: %w", err)
	}
	r.done("created the table %s.%s", namespace, name)
	return l.append(ctx, tbl)
}

// appliedOnce holds that the rows are in the table, by one snapshot.
func appliedOnce(ctx context.Context, r *report, direct lake, name string) error {
	snapshots, read, err := direct.content(ctx, name)
	if err != nil {
		return err
	}
	if snapshots != 1 || read != rowsRead {
		return fmt.Errorf("the table has %d snapshots and the rows %s", snapshots, read)
	}
	r.done("the table has 1 snapshot, and the rows %s", read)
	return nil
}
