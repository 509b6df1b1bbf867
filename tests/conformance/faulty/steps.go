package faulty

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// steps are what the guard does with a request, in this order.
type steps struct {
	// principal says who calls; false is a 401.
	principal func(*http.Request) (string, bool)
	// takesKey says whether the request is one of those that keys are for.
	takesKey func(*http.Request) bool
	// key returns the one spelling of the key in the header; false is a 400.
	key func(values []string) (string, bool)
	// binding says what the key belongs to.
	binding func(request) string
	// file is the name that the record of a key goes by.
	file func(key, binding string) string
	// reserves says whether a record is there before its answer is.
	reserves bool
	// lives is how long a record is remembered; zero means for good.
	lives time.Duration
	// keeps is how many records are kept; zero means all.
	keeps int
	// yields says whether a record makes room for another request with its key.
	yields func(first *record, binding string) bool
	// refuse answers a request whose key belongs to another one.
	refuse func(first *record) *answer
	// meet is called when a request with the key is known. It returns the answer
	// to give, nil when there is none any more and the request is the first again.
	meet func(context.Context, *record) *answer
	// run has the catalog serve the request.
	run func(http.Handler, *http.Request) *answer
	// final says whether an answer stands for good. The request is the client's
	// own: its context ends when the client hangs up.
	final func(*http.Request, *answer) bool
	// replay makes the second answer of the first.
	replay func(*answer) *answer
}

func honestSteps() steps {
	return steps{
		principal: byToken,
		takesKey:  mutates,
		key:       uuidv7,
		binding:   request.whole,
		file:      func(key, _ string) string { return key },
		reserves:  true,
		yields:    func(*record, string) bool { return false },
		refuse:    func(*record) *answer { return usedBefore("The key belongs to another request") },
		meet:      waitForFirst,
		run:       toTheEnd,
		final:     func(_ *http.Request, a *answer) bool { return deterministic(a.status) },
		replay:    func(a *answer) *answer { return a },
	}
}

// principals are who may call, by their tokens.
var principals = map[string]string{Token: "alice", OtherToken: "bob"}

func byToken(r *http.Request) (string, bool) {
	name, known := principals[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	return name, known
}

// unkeyed are the mutations that Iceberg's document declares no key for. It
// forgets createView too, but clients send the key there.
var unkeyed = regexp.MustCompile(`/(oauth/tokens|metrics|sign)$`)

func mutates(r *http.Request) bool {
	return (r.Method == http.MethodPost || r.Method == http.MethodDelete) && !unkeyed.MatchString(r.URL.EscapedPath())
}

var canonicalV7 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

func uuidv7(values []string) (string, bool) {
	key := strings.ToLower(values[0])
	return key, len(values) == 1 && canonicalV7.MatchString(key)
}

// patience is how long a retry waits for the first attempt.
const patience = 5 * time.Second

func waitForFirst(ctx context.Context, first *record) *answer {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-first.done:
		return first.answer
	case <-ctx.Done():
		return comeBack()
	}
}

// toTheEnd runs the request although its client may have hung up: that client
// will be back.
func toTheEnd(catalog http.Handler, r *http.Request) *answer {
	return capture(catalog, r.WithContext(context.WithoutCancel(r.Context())))
}

// deterministic tells an answer that a retry would get again from one that
// depends on who asks and when.
func deterministic(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, statusLoginTimeout,
		http.StatusMisdirectedRequest, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return status < http.StatusInternalServerError
}

// statusLoginTimeout is Iceberg's status for credentials that have expired.
const statusLoginTimeout = 419
