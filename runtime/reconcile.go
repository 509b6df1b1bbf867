package runtime

// Fate is what became of an attempt whose end nobody saw.
type Fate int

// The fates that a Reconcile hook can tell.
const (
	// FateUnknown: the hook cannot tell. The request is executed; only a
	// success is believed then.
	FateUnknown Fate = iota
	// FateNotApplied: the attempt changed nothing and never will. The request
	// is executed as if for the first time.
	FateNotApplied
	// FateApplied: the attempt took place. The request is not executed; the
	// response that the hook returns is recorded and answered. Without one the
	// client is told that the state is unknown.
	FateApplied
)
