package planning

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
)

// Task is a part of a plan: the files with the numbers from From to To, of a list that has the digest.
type Task struct {
	Scan
	From   int    `json:"b"`
	To     int    `json:"e"`
	Digest uint64 `json:"d"`
}

// Kinds of tokens, which tell one from the other and from those of a release that writes them otherwise.
const (
	planToken byte = iota + 1
	taskToken
)

const (
	checksumSize = 4
	// maxToken bounds what a token may unfold to: a filter of the greatest length, and little else.
	maxToken = maxFilter + 64<<10
	// maxPlanID bounds a plan-id, which stands in a path: servers and proxies take no path of any length.
	maxPlanID = 4 << 10
)

// String is the task as an opaque text, for a client to bring back to any server. It is no secret, and who makes one up
// learns only what they could have asked for.
func (t *Task) String() string { return seal(taskToken, t) }

// OpenTask reads a task from its text.
func OpenTask(token string) (*Task, bool) {
	t := new(Task)
	return t, open(taskToken, token, t) && t.From >= 0 && t.From <= t.To
}

// planID is what a plan-id holds.
type planID struct {
	Scan
	// Cut says that the filter was too long, so that the scan cannot be planned by the id alone.
	Cut bool `json:"x,omitempty"`
}

// ID is the scan as an opaque text. One of a scan with a long filter only tells which table it is of.
func (s *Scan) ID() string {
	if id := seal(planToken, planID{Scan: *s}); len(id) <= maxPlanID {
		return id
	}
	return seal(planToken, planID{Scan: Scan{Table: s.Table, Snapshot: s.Snapshot, Schema: s.Schema}, Cut: true})
}

// OpenID reads a plan-id. complete is false when the scan cannot be planned by it.
func OpenID(id string) (s *Scan, complete, ok bool) {
	var p planID
	if !open(planToken, id, &p) {
		return nil, false, false
	}
	return &p.Scan, !p.Cut, true
}

// seal writes a value behind its kind and a checksum, so that a text which was cut short or mixed up is not taken for
// another one.
func seal(kind byte, value any) string {
	text, err := json.Marshal(value)
	if err != nil { // a filter that is no JSON, which no request has
		panic(err)
	}
	var b bytes.Buffer
	b.Write(make([]byte, checksumSize))
	b.WriteByte(kind)
	w, _ := flate.NewWriter(&b, flate.DefaultCompression)
	_, _ = w.Write(text)
	_ = w.Close()
	sealed := b.Bytes()
	binary.BigEndian.PutUint32(sealed, crc32.ChecksumIEEE(sealed[checksumSize:]))
	return base64.RawURLEncoding.EncodeToString(sealed)
}

func open(kind byte, token string, into any) bool {
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(sealed) <= checksumSize || sealed[checksumSize] != kind ||
		binary.BigEndian.Uint32(sealed) != crc32.ChecksumIEEE(sealed[checksumSize:]) {
		return false
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(sealed[checksumSize+1:])), maxToken+1))
	if err != nil && !errors.Is(err, io.EOF) || len(text) > maxToken {
		return false
	}
	return json.Unmarshal(text, into) == nil
}
