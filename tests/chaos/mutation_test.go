package chaos

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/onceberg/onceberg/runtime"
)

// action is what an effect does to an object.
type action string

const (
	creates action = "create"
	changes action = "change"
	renames action = "rename" // to the object's name
	drops   action = "drop"
)

// effect is what a mutation is to bring about, once.
type effect struct {
	Action action
	Object string
}

// outcome is what a client believes of a mutation in the end.
type outcome string

const (
	// acknowledged: a success was answered.
	acknowledged outcome = "acknowledged"
	// refused: a final 4xx was answered, or the client's transport says that no
	// attempt was applied.
	refused outcome = "refused"
	// unknown: nobody could tell.
	unknown outcome = "unknown"
)

// mutation is one logical request: one key, and one mark in what it writes.
type mutation struct {
	Mark, Key, Operation string
	Effects              []effect
	Certain              bool
	Bases                map[string]int64 // the snapshots that it was made for, by table

	Outcome outcome
	Answer  answer   // what the client was told
	Answers []answer // what nodes said to its attempts, seen by the network

	request request // to be sent again
	inDoubt bool    // an attempt may have been applied, says the transport
}

func (m *mutation) String() string {
	return fmt.Sprintf("%s %s %v key %s", m.Mark, m.Operation, m.Effects, m.Key)
}

// answer is a response, or the lack of one: the status is 0 then. Of its body it
// keeps what checks need, since a long run has many.
type answer struct {
	Node     string
	Status   int
	Type     string // of an error
	Digest   string // of the body as canonical JSON
	Location string // of metadata
	Text     string // the body's beginning
	Replayed bool
}

func (a answer) String() string {
	text := fmt.Sprintf("%d %s", a.Status, a.Text)
	if a.Type != "" {
		text = fmt.Sprintf("%d %s", a.Status, a.Type)
	}
	if a.Replayed {
		text += " (replayed)"
	}
	if a.Node != "" {
		text = a.Node + ": " + text
	}
	return text
}

func (a answer) success() bool { return a.Status >= 200 && a.Status <= 299 }

// final reports whether the answer settles a request for ever.
func (a answer) final() bool { return runtime.Final(a.Status) && a.Type != runtime.TypeInProgress }

func (a answer) equal(b answer) bool { return a.Status == b.Status && a.Digest == b.Digest }

// newAnswer reads an answer. Two bodies are the same when their JSON is.
func newAnswer(node string, status int, header http.Header, body []byte) answer {
	a := answer{Node: node, Status: status, Replayed: header.Get("Idempotency-Replayed") == "true"}
	a.Text = strings.TrimSpace(string(body[:min(len(body), 160)]))
	var fields struct {
		Location string                `json:"metadata-location"`
		Error    struct{ Type string } `json:"error"`
	}
	if json.Unmarshal(body, &fields) == nil { // no object has no such fields
		a.Type, a.Location = fields.Error.Type, fields.Location
	}
	sum := sha256.Sum256(canonical(body))
	a.Digest = hex.EncodeToString(sum[:8])
	return a
}

// canonical is the JSON of a body in one form; what is no JSON stays as it is.
func canonical(body []byte) []byte {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return body
	}
	text, err := json.Marshal(value)
	if err != nil {
		return body
	}
	return text
}

// history collects all mutations. It is safe for concurrent use.
type history struct {
	mu        sync.Mutex
	mutations []*mutation
}

func (h *history) add(m *mutation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.mutations = append(h.mutations, m)
}

// all returns the mutations in the order in which they were settled.
func (h *history) all() []*mutation {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.mutations)
}
