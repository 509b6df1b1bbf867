package main

import (
	"crypto/tls"
	"fmt"
	"sync/atomic"

	"github.com/onceberg/onceberg/cmd/server/settings"
)

// certificate is what the server proves itself with, as it was when last read. A
// nil one stands for plain HTTP.
type certificate struct {
	cert, key string
	current   atomic.Pointer[tls.Certificate]
}

func openCertificate(s *settings.Settings) (*certificate, error) {
	if s.TLS.Cert == "" {
		return nil, nil
	}
	c := &certificate{cert: s.TLS.Cert, key: s.TLS.Key}
	return c, c.reload()
}

// reload reads the files again. Connections that are there keep what they have.
func (c *certificate) reload() error {
	if c == nil {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return fmt.Errorf("tls.cert and tls.key: %w", err)
	}
	c.current.Store(&pair)
	return nil
}

// config is nil for plain HTTP.
func (c *certificate) config() *tls.Config {
	if c == nil {
		return nil
	}
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
	}
}
