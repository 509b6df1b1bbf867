package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/onceberg/onceberg/tests/conformance"
)

// settings are what the flags say.
type settings struct {
	token, secondToken, credential, oauthServer, scope string
	warehouse, prefix                                  string
	headers                                            []string
	json, junit, html                                  string
	list                                               bool
	options                                            conformance.Options
	environment                                        func(string) string
	interrupts                                         <-chan os.Signal
}

func (s *settings) flags(f *pflag.FlagSet, environment func(string) string) {
	s.environment = environment
	f.SortFlags = false
	f.StringVar(&s.token, "token", "", "bearer `token` (better: CONFORM_TOKEN)")
	f.StringVar(&s.secondToken, "second-token", "", "`token` of somebody else with the same rights (CONFORM_SECOND_TOKEN)")
	f.StringVar(&s.credential, "credential", "", "OAuth client credentials as `ID:SECRET` (better: CONFORM_CREDENTIAL)")
	f.StringVar(&s.oauthServer, "oauth2-server-uri", "", "`URL` of the token endpoint (default: the server's own)")
	f.StringVar(&s.scope, "scope", "", "OAuth `scope` (default catalog)")
	f.StringVar(&s.warehouse, "warehouse", "", "`name` of the warehouse, for GET /v1/config")
	f.StringVar(&s.prefix, "prefix", "", "path `prefix`, when it is not the one in the configuration")
	f.StringArrayVar(&s.headers, "header", nil, "`'Name: value'` to send with every request; repeatable")
	f.BoolVar(&s.options.All, "all", false, "test every operation that takes a key, advertised or not")
	f.StringArrayVar(&s.options.Only, "only", nil, "run `OPERATION/CASE` only, * for any part of a name; repeatable")
	f.BoolVar(&s.list, "list", false, "list the cases and the sentences they rest on; run nothing")
	f.BoolVar(&s.options.Keep, "keep", false, "leave behind what the run made")
	f.IntVar(&s.options.Twins, "twins", conformance.DefaultTwins, "how many requests with one key are sent at once")
	f.IntVar(&s.options.Parallel, "parallel", conformance.DefaultParallel, "how many cases run at once")
	f.DurationVar(&s.options.Timeout, "timeout", conformance.DefaultTimeout, "how long one request may take")
	f.DurationVar(&s.options.Patience, "patience", conformance.DefaultPatience, "how long a key may stay in progress")
	f.DurationVar(&s.options.LifetimeWait, "lifetime-wait", 0, "sit out an advertised lifetime of up to this, to see a key end")
	f.StringVar(&s.json, "json", "", "write the report as JSON to a `file`, - for standard output")
	f.StringVar(&s.junit, "junit", "", "write it as JUnit's XML to a `file`")
	f.StringVar(&s.html, "html", "", "write it as one HTML page to a `file`")
}

// args wants one URL, unless the cases are only listed.
func (s *settings) args(_ *cobra.Command, args []string) error {
	if len(args) != 1 && !s.list {
		return fmt.Errorf("one URL is needed, not %d; see conform --help", len(args))
	}
	return nil
}

// check refuses numbers that cannot be meant, and files that would hold two reports.
func (s *settings) check() error {
	switch o := s.options; {
	case o.Twins < 2:
		return fmt.Errorf("--twins: it must be at least 2, not %d", o.Twins)
	case o.Parallel < 1:
		return fmt.Errorf("--parallel: it must be at least 1, not %d", o.Parallel)
	case o.Timeout <= 0:
		return fmt.Errorf("--timeout: it must be longer than nothing, not %v", o.Timeout)
	case o.Patience <= 0:
		return fmt.Errorf("--patience: it must be longer than nothing, not %v", o.Patience)
	case o.LifetimeWait < 0:
		return fmt.Errorf("--lifetime-wait: it must not be negative, as %v is", o.LifetimeWait)
	}
	taken := map[string]string{}
	for _, f := range []struct{ flag, name string }{{"--json", s.json}, {"--junit", s.junit}, {"--html", s.html}} {
		if f.name == "" {
			continue
		}
		name := filepath.Clean(f.name)
		if other := taken[name]; other != "" {
			return fmt.Errorf("%s: %s is the file of %s already", f.flag, f.name, other)
		}
		taken[name] = f.flag
	}
	return nil
}

// target puts together what the kit needs to reach the server.
func (s *settings) target(url string) (conformance.Target, error) {
	t := conformance.Target{
		URL: url, Warehouse: s.warehouse, Prefix: s.prefix,
		Token:       cmp.Or(s.token, s.environment("CONFORM_TOKEN")),
		SecondToken: cmp.Or(s.secondToken, s.environment("CONFORM_SECOND_TOKEN")),
		Header:      http.Header{},
	}
	if credential := cmp.Or(s.credential, s.environment("CONFORM_CREDENTIAL")); credential != "" {
		id, secret, ok := strings.Cut(credential, ":")
		if !ok {
			return t, errors.New("--credential: it must be ID:SECRET")
		}
		t.OAuth = &conformance.OAuth{URL: s.oauthServer, ClientID: id, ClientSecret: secret, Scope: s.scope}
	}
	for _, header := range s.headers {
		name, value, ok := strings.Cut(header, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return t, errors.New("--header: it must be 'Name: value'")
		}
		t.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return t, nil
}

// toStdout reports whether standard output is for a report alone.
func (s *settings) toStdout() bool { return s.json == "-" || s.junit == "-" || s.html == "-" }

// write writes the reports that were asked for.
func (s *settings) write(r *conformance.Report, stdout io.Writer) error {
	for _, f := range []struct {
		flag, name string
		write      func(io.Writer) error
	}{
		{"--json", s.json, r.WriteJSON}, {"--junit", s.junit, r.WriteJUnit}, {"--html", s.html, r.WriteHTML},
	} {
		if err := writeFile(f.name, stdout, f.write); err != nil {
			return fmt.Errorf("%s: %w", f.flag, err)
		}
	}
	return nil
}

func writeFile(name string, stdout io.Writer, write func(io.Writer) error) error {
	switch name {
	case "":
		return nil
	case "-":
		return write(stdout)
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
