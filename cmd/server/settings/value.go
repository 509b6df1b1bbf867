package settings

import (
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// value reads one setting from text and writes it back.
type value interface {
	// set reads text. Its error completes the sentence "KEY must be ...".
	set(text string) error
	// String is the value as people may see it, secrets masked.
	String() string
	// form says what text looks like.
	form() string
}

// quoted is a text that a value has refused, for a message: not of a key that may
// hold a secret, of which a text with a typing mistake may be most of.
func quoted(v value, text string) string {
	switch v.(type) {
	case secret, pairs, dsn, endpoint:
		return "something else, which is not shown because it may hold a secret"
	}
	return strconv.Quote(text)
}

type mustBe string

func (m mustBe) Error() string { return string(m) }

// text is any text; kind is what it stands for.
type text struct {
	to   *string
	kind string
}

func (v text) set(s string) error { *v.to = s; return nil }
func (v text) String() string     { return *v.to }
func (v text) form() string       { return v.kind }

// masked stands for a secret that is set.
const masked = "xxxxx"

// secret is text that nobody may see.
type secret struct{ to *string }

func (v secret) set(s string) error { *v.to = s; return nil }
func (v secret) form() string       { return "text" }

func (v secret) String() string {
	if *v.to == "" {
		return ""
	}
	return masked
}

// list is a list of names, separated by commas.
type list struct{ to *[]string }

func (v list) String() string { return strings.Join(*v.to, ",") }
func (v list) form() string   { return "names" }

func (v list) set(s string) error {
	*v.to = nil
	if strings.TrimSpace(s) == "" {
		return nil
	}
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return mustBe("a list of names, none of them empty")
		}
		*v.to = append(*v.to, name)
	}
	return nil
}

// truth is true or false.
type truth struct{ to *bool }

func (v truth) String() string { return strconv.FormatBool(*v.to) }
func (v truth) form() string   { return "true or false" }

func (v truth) set(s string) error {
	switch s {
	case "true", "false":
		*v.to = s == "true"
		return nil
	}
	return mustBe(v.form())
}

// choice is one of a few words.
type choice struct {
	to    *string
	words []string
}

func (v choice) String() string { return *v.to }
func (v choice) form() string   { return strings.Join(v.words, ", ") }

func (v choice) set(s string) error {
	if !slices.Contains(v.words, s) {
		return mustBe("one of " + v.form())
	}
	*v.to = s
	return nil
}

// level is a level of the log.
type level struct{ to *slog.Level }

var levels = []string{"debug", "info", "warn", "error"}

func (v level) String() string { return strings.ToLower(v.to.String()) }
func (v level) form() string   { return strings.Join(levels, ", ") }

func (v level) set(s string) error {
	if !slices.Contains(levels, s) {
		return mustBe("one of " + v.form())
	}
	return v.to.UnmarshalText([]byte(s))
}

// count is a whole number.
type count struct {
	to         *int
	least, max int
}

func (v count) String() string { return strconv.Itoa(*v.to) }
func (v count) form() string   { return "number" }

func (v count) set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < v.least || n > v.max {
		return mustBe(fmt.Sprintf("a whole number from %d to %d", v.least, v.max))
	}
	*v.to = n
	return nil
}

// address is a host and a port, the host possibly empty.
type address struct{ to *string }

func (v address) String() string { return *v.to }
func (v address) form() string   { return "host:port" }

func (v address) set(s string) error {
	_, port, err := net.SplitHostPort(s)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return mustBe("an address of the form host:port")
	}
	*v.to = s
	return nil
}

// endpoint is the URL of an HTTP service, or nothing.
type endpoint struct{ to *string }

func (v endpoint) String() string { return maskUserInfo(*v.to) }
func (v endpoint) form() string   { return "URL" }

func (v endpoint) set(s string) error {
	if s != "" {
		u, err := url.Parse(s)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return mustBe("an http:// or https:// URL")
		}
	}
	*v.to = s
	return nil
}
