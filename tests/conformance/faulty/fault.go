package faulty

import "net/http"

// Fault is one way to break the promise.
type Fault struct {
	// Name says what the server does wrong.
	Name string
	// Fails are the kit's cases that must fail because of it. All others pass, but
	// for those of Perhaps: they see it if the moment is right.
	Fails, Perhaps []string
	// Operations are those that the fault is looked for in; nil for some of each
	// kind.
	Operations []string
	// Blinds is true when some cases cannot be judged any more because of it.
	Blinds bool
	// Mentioned is true when the kit reports it and passes the server all the same:
	// the specification does not say that it is wrong.
	Mentioned bool

	install func(*server)
}

// Faults are all there are.
var Faults = []Fault{
	executesAgain, executesTwins, executesReuse, forgetsOperations, freesAtHangUp,
	forgetsRefusals, keeps5xx, keeps401, keepsTooSoon, inventsSuccess, refusesTwin,
	ignoresBody, ignoresOperation, ignoresResource, ignoresPrincipal, replaysToAnybody,
	caseSensitive, anyUUID, anyText, firstOfTwo, checksReads, replaysReads,
	replaysNoBody, replaysNoETag, replays201, lifetimeInOverrides, lifetimeInWeeks, forgetsTooSoon,
	takesEqualsForOne, revealsFirst, errorsOfItsOwn,
	executesBehind, equalsUnderAnyKey, takesOver, bindsToLength, bindsToBeginning, ignoresQuery,
	forgetsAmongMany, checksHead, replaysNoType,
}

// middleware is a layer of the server.
type middleware func(http.Handler) http.Handler

// server is what a fault can change: the guard's steps, and what stands outside
// and inside of the guard.
type server struct {
	steps
	outside, inside middleware
}

func honest() *server {
	none := func(h http.Handler) http.Handler { return h }
	return &server{steps: honestSteps(), outside: none, inside: none}
}
