package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// lossyProxy stands between a client and the server and loses the answer to the
// first request: the server has sent it to the last byte, the client gets
// nothing.
type lossyProxy struct {
	url  string
	lost chan int // the status of the lost answer

	target string
	server *http.Server
	ended  chan error
}

func startLossyProxy(target string) (*lossyProxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the proxy: %w", err)
	}
	p := &lossyProxy{
		url:    "http://" + listener.Addr().String(),
		lost:   make(chan int, 1),
		target: target,
		ended:  make(chan error, 1),
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second}
	go func() { p.ended <- p.server.Serve(listener) }()
	return p, nil
}

func (p *lossyProxy) close() error {
	err := p.server.Close()
	if ended := <-p.ended; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}

// ServeHTTP passes a request on, waits for the whole answer, and cuts the
// client's connection.
func (p *lossyProxy) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	// The server sees a client that is still there: the loss is between the two.
	ctx := context.WithoutCancel(r.Context())
	onward, err := http.NewRequestWithContext(ctx, r.Method, p.target+r.URL.RequestURI(), r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	onward.Header = r.Header.Clone()
	onward.ContentLength = r.ContentLength
	response, err := http.DefaultClient.Do(onward)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_, err = io.Copy(io.Discard, response.Body)
	response.Body.Close()
	if err == nil {
		p.lost <- response.StatusCode
	}
	panic(http.ErrAbortHandler)
}
