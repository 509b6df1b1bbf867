package chaos

import (
	"fmt"
	"net/http"
	"slices"
)

// kind is a way to break the promise.
type kind string

const (
	lost          kind = "acknowledged, not applied"
	doubled       kind = "applied more than once"
	torn          kind = "applied in part"
	falselyFailed kind = "told to have failed, and applied"
	differing     kind = "answers differ"
	madeUp        kind = "an answer that no node gave"
	otherVersion  kind = "acknowledged as another version"
	unfounded     kind = "refused without a reason"
	unaskedFor    kind = "applied, and nobody asked for it"
	brokenChain   kind = "a broken chain of metadata"
	missingFile   kind = "a metadata file is missing"
	stuck         kind = "a reservation outlives its lease"
)

// violation is something that contradicts the promise.
type violation struct {
	Kind kind
	Text string
}

func (v violation) String() string { return string(v.Kind) + ": " + v.Text }

// checker holds what clients were told against what happened.
type checker struct {
	form      form
	mutations []*mutation
	ledger    *ledger

	byMark   map[string]*mutation
	byEffect map[effect][]*mutation // for drops and renames, which leave no mark
	applied  map[*mutation]map[effect][]event

	made   map[string]bool   // objects that were there at some time
	newest map[string]string // the last metadata, by object

	// repeated counts executions that changed nothing.
	repeated int
	found    []violation
}

// check returns everything in a run that contradicts the promise.
func check(f form, mutations []*mutation, l *ledger) (found []violation, repeated int) {
	c := &checker{
		form: f, mutations: mutations, ledger: l,
		byMark: map[string]*mutation{}, byEffect: map[effect][]*mutation{},
		applied: map[*mutation]map[effect][]event{},
		made:    map[string]bool{}, newest: map[string]string{},
	}
	c.index()
	c.attribute()
	for _, m := range mutations {
		c.checkEffects(m)
		c.checkAnswers(m)
	}
	c.checkChains()
	return c.found, c.repeated
}

func (c *checker) say(k kind, format string, args ...any) {
	c.found = append(c.found, violation{k, fmt.Sprintf(format, args...)})
}

// index finds mutations by what they leave behind.
func (c *checker) index() {
	for _, m := range c.mutations {
		c.byMark[m.Mark] = m
		c.applied[m] = map[effect][]event{}
		for _, e := range m.Effects {
			c.byEffect[e] = append(c.byEffect[e], m)
		}
	}
}

// attribute says of every event whose it is.
func (c *checker) attribute() {
	for _, e := range c.ledger.events {
		c.made[e.Object] = true
		if e.To != "" {
			c.newest[e.Object] = e.To
		}
		if e.Same && c.form != transactional {
			// A lost attempt is run again in two phases, and that must not change
			// anything any more.
			c.repeated++
			continue
		}
		m, what := c.byMark[e.Mark], effect{e.Action, e.Object}
		if e.Action == drops || e.Action == renames {
			m = likeliest(c.byEffect[what])
		}
		if m == nil || !slices.Contains(m.Effects, what) {
			c.say(unaskedFor, "%v; the mark belongs to %v", e, m)
			continue
		}
		c.applied[m][what] = append(c.applied[m][what], e)
	}
}

// likeliest returns the mutation to believe the cause of an effect: one that was
// acknowledged rather than one that may have been applied, rather than one that
// was refused. A client that wants to drop a namespace which is not empty may want
// to again.
func likeliest(of []*mutation) *mutation {
	for _, o := range []outcome{acknowledged, unknown, refused} {
		if i := slices.IndexFunc(of, func(m *mutation) bool { return m.Outcome == o }); i >= 0 {
			return of[i]
		}
	}
	return nil
}

// checkEffects holds a mutation's outcome against its effects.
func (c *checker) checkEffects(m *mutation) {
	applied := 0
	transactions := map[int64]bool{}
	for _, e := range m.Effects {
		events := c.applied[m][e]
		if len(events) > 0 {
			applied++
			transactions[events[0].Tx] = true
		}
		if len(events) > 1 {
			c.say(doubled, "%v: %v; answers %v", m, events, m.Answers)
		}
		if m.Outcome == acknowledged && len(events) == 1 && m.Answer.Location != "" && m.Answer.Location != events[0].To {
			c.say(otherVersion, "%v was told %s; %v", m, m.Answer.Location, events[0])
		}
	}
	switch {
	case applied > 0 && (applied < len(m.Effects) || len(transactions) > 1):
		c.say(torn, "%v: %d of %d effects in %d transactions: %v", m, applied, len(m.Effects), len(transactions), c.applied[m])
	case m.Outcome == acknowledged && applied == 0:
		c.say(lost, "%v was told %v; answers %v", m, m.Answer, m.Answers)
	case m.Outcome == refused && applied > 0:
		c.say(falselyFailed, "%v was told %v; answers %v; %v", m, m.Answer, m.Answers, c.applied[m])
	}
}

// checkAnswers holds the answers to one mutation against each other.
func (c *checker) checkAnswers(m *mutation) {
	var first *answer
	for i, a := range m.Answers {
		switch {
		case !a.final():
			continue
		case first == nil:
			first = &m.Answers[i]
		case !a.equal(*first):
			c.say(differing, "%v: %v and %v; %s and %s", m, *first, a, first.Digest, a.Digest)
		}
	}
	if m.Answer.Status != 0 && !slices.ContainsFunc(m.Answers, m.Answer.equal) {
		c.say(madeUp, "%v was told %v; answers %v", m, m.Answer, m.Answers)
	}
	if m.Outcome == refused && m.Answer.Status != 0 && (m.Certain || !c.plausible(m)) {
		c.say(unfounded, "%v was told %v; answers %v", m, m.Answer, m.Answers)
	}
}

// plausible reports whether a refusal is one that a catalog gives to these clients'
// requests, which are all well made, and whether there was a reason.
func (c *checker) plausible(m *mutation) bool {
	switch m.Answer.Type {
	case "NoSuchNamespaceException", "NoSuchTableException", "NoSuchViewException":
		return m.Answer.Status == http.StatusNotFound
	case "NamespaceNotEmptyException":
		return m.Answer.Status == http.StatusConflict && c.hadEntries(m.Effects[0].Object)
	case "AlreadyExistsException":
		return m.Answer.Status == http.StatusConflict && c.made[m.Effects[0].Object]
	case "CommitFailedException":
		return m.Answer.Status == http.StatusConflict && c.movedOn(m.Bases)
	}
	return false
}

// hadEntries reports whether there was something in a namespace at some time.
func (c *checker) hadEntries(namespace string) bool {
	for object := range c.made {
		if within, name := split(object); within == namespace && name != "" {
			return true
		}
	}
	return false
}

// movedOn reports whether one of the tables has another snapshot in the end than
// the one that a commit was made for. None ever comes back.
func (c *checker) movedOn(bases map[string]int64) bool {
	for table, base := range bases {
		if file := c.ledger.files[c.newest[table]]; file != nil && file.current() != base {
			return true
		}
	}
	return false
}
