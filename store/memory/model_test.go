package memory_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
)

// TestModel drives a small store and a trivial model of it through the same
// random calls, with few keys, so that they collide, lapse, expire and evict each
// other, and tokens of every age, so that zombies come back.
func TestModel(t *testing.T) {
	t.Parallel()
	for _, whenFull := range []memory.WhenFull{memory.Evict, memory.Refuse} {
		t.Run(string(whenFull), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				m := newMachine(t, whenFull)
				t.Repeat(map[string]func(*rapid.T){
					"":         m.invariants,
					"reserve":  m.reserve,
					"load":     m.load,
					"finalize": m.finalize,
					"release":  m.release,
					"renew":    m.renew,
					"purge":    m.purge,
					"advance":  m.advance,
				})
			})
		})
	}
}

// held is what the model knows of a record.
type held struct {
	token   store.Token
	binding store.Binding
	retain  time.Duration
	status  int // 0 while reserved
	rank    int
	lease   time.Time
	created time.Time
	expires time.Time
}

type machine struct {
	store     *memory.Store
	clock     *clock
	whenFull  memory.WhenFull
	capacity  int
	records   map[string]*held
	tokens    []store.Token
	finalized int
	evicted   int
	reported  int
}

func newMachine(t *rapid.T, whenFull memory.WhenFull) *machine {
	m := &machine{
		clock:    newClock(),
		whenFull: whenFull,
		capacity: rapid.IntRange(1, 5).Draw(t, "capacity"),
		records:  map[string]*held{},
		tokens:   []store.Token{store.NewToken()},
	}
	s, err := memory.New(memory.Options{
		MaxEntries: m.capacity,
		WhenFull:   whenFull,
		Clock:      m.clock.Now,
		OnEvict:    func(count int, _ memory.Cause) { m.reported += count },
	})
	if err != nil {
		t.Fatal(err)
	}
	m.store = s
	return m
}

// step moves the clock a little, so that no two records expire at the same
// instant and the order in which they go is known.
func (m *machine) step() time.Time {
	m.clock.Advance(time.Microsecond)
	return m.clock.Now()
}

func drawKey(t *rapid.T) string {
	return fmt.Sprintf("key-%d", rapid.IntRange(0, 4).Draw(t, "key"))
}

func drawSeconds(t *rapid.T, label string) time.Duration {
	return time.Duration(rapid.IntRange(0, 10).Draw(t, label)) * time.Second
}

// drawToken prefers the token that holds the key, and else brings back any that
// was ever used.
func (m *machine) drawToken(t *rapid.T, key string) store.Token {
	if r := m.records[key]; r != nil && rapid.Bool().Draw(t, "holder") {
		return r.token
	}
	return rapid.SampledFrom(m.tokens).Draw(t, "token")
}

func (m *machine) reserve(t *rapid.T) {
	now := m.step()
	claim := store.Claim{
		Key:    drawKey(t),
		Token:  store.NewToken(),
		Lease:  drawSeconds(t, "lease"),
		Retain: drawSeconds(t, "retain"),
	}
	claim.Binding.Request[0] = rapid.Byte().Draw(t, "binding") % 2
	m.tokens = append(m.tokens, claim.Token)
	got, err := m.store.Reserve(context.Background(), claim)

	r := m.live(claim.Key, now)
	switch {
	case r != nil && r.lapsed(now) && r.binding.Same(claim.Binding):
		r.token, r.retain = claim.Token, claim.Retain
		r.hold(now, claim.Lease)
		m.expect(t, got, err, store.Reservation{Acquired: true, TakenOver: true})
	case r != nil:
		m.expect(t, got, err, store.Reservation{})
		m.same(t, claim.Key, got.Existing)
	case !m.makeRoom(t, claim.Key, now):
		if !errors.Is(err, store.ErrFull) {
			t.Fatalf("Reserve in a full store: %+v, %v", got, err)
		}
	default:
		r := &held{token: claim.Token, binding: claim.Binding, retain: claim.Retain, created: now}
		r.hold(now, claim.Lease)
		m.records[claim.Key] = r
		m.expect(t, got, err, store.Reservation{Acquired: true})
	}
}

// makeRoom does to the model what the store did to make room. Which record was
// evicted is read off the store; that it was allowed to go is checked.
func (m *machine) makeRoom(t *rapid.T, key string, now time.Time) bool {
	if r := m.records[key]; r != nil && r.expired(now) {
		delete(m.records, key)
		return true
	}
	if len(m.records) < m.capacity {
		return true
	}
	if next := m.nextToExpire(); m.records[next].expired(now) {
		delete(m.records, next)
		return true
	}
	finals := m.finals()
	if m.whenFull == memory.Refuse || len(finals) == 0 {
		return false
	}
	victim := m.missing(t)
	if !slices.Contains(finals, victim) {
		t.Fatalf("evicted %s, which is in progress", victim)
	}
	if age := m.finalized - m.records[victim].rank; age < len(finals)/2 {
		t.Fatalf("evicted %s after %d of %d finalizations", victim, age, len(finals))
	}
	delete(m.records, victim)
	m.evicted++
	return true
}

// finals returns the keys of the final records.
func (m *machine) finals() []string {
	var keys []string
	for key, r := range m.records {
		if r.status != 0 {
			keys = append(keys, key)
		}
	}
	return keys
}

// missing returns the only key of the model that the store does not have.
func (m *machine) missing(t *rapid.T) string {
	var missing []string
	for key := range m.records {
		if _, err := m.store.Load(context.Background(), key); errors.Is(err, store.ErrNotFound) {
			missing = append(missing, key)
		}
	}
	if len(missing) != 1 {
		t.Fatalf("evicted %v, want one record", missing)
	}
	return missing[0]
}

func (m *machine) nextToExpire() string {
	var next string
	for key, r := range m.records {
		if next == "" || r.expires.Before(m.records[next].expires) {
			next = key
		}
	}
	return next
}

func (m *machine) load(t *rapid.T) {
	now, key := m.step(), drawKey(t)
	record, err := m.store.Load(context.Background(), key)
	if m.live(key, now) == nil {
		if !errors.Is(err, store.ErrNotFound) {
			t.Fatalf("Load of an absent key: %+v, %v", record, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	m.same(t, key, record)
}

func (m *machine) finalize(t *rapid.T) {
	now, key := m.step(), drawKey(t)
	token, retain := m.drawToken(t, key), drawSeconds(t, "retain")
	outcome := store.Outcome{
		Status: rapid.SampledFrom([]int{200, 409}).Draw(t, "status"),
		Kind:   store.KindBody,
	}
	err := m.store.Finalize(context.Background(), key, token, outcome, retain)

	r := m.records[key]
	holds := r != nil && r.token == token && (r.status == 0 || r.status == outcome.Status)
	m.expectHeld(t, "Finalize", err, holds)
	if holds && r.status == 0 {
		m.finalized++
		r.status, r.rank, r.lease, r.expires = outcome.Status, m.finalized, time.Time{}, now.Add(retain)
	}
}

func (m *machine) release(t *rapid.T) {
	m.step()
	key := drawKey(t)
	token := m.drawToken(t, key)
	err := m.store.Release(context.Background(), key, token)
	m.expectHeld(t, "Release", err, m.reservedBy(key, token))
	if err == nil {
		delete(m.records, key)
	}
}

func (m *machine) renew(t *rapid.T) {
	now, key := m.step(), drawKey(t)
	token, lease := m.drawToken(t, key), drawSeconds(t, "lease")
	err := m.store.Renew(context.Background(), key, token, lease)
	m.expectHeld(t, "Renew", err, m.reservedBy(key, token))
	if err == nil {
		m.records[key].hold(now, lease)
	}
}

func (m *machine) purge(t *rapid.T) {
	now := m.step()
	limit := rapid.IntRange(0, 3).Draw(t, "limit")
	got, err := m.store.PurgeExpired(context.Background(), limit)
	want := 0
	for want < limit && len(m.records) > 0 && m.records[m.nextToExpire()].expired(now) {
		delete(m.records, m.nextToExpire())
		want++
	}
	if got != want || err != nil {
		t.Fatalf("PurgeExpired(%d): %d, %v, want %d", limit, got, err, want)
	}
}

func (m *machine) advance(t *rapid.T) { m.clock.Advance(drawSeconds(t, "advance")) }

func (m *machine) invariants(t *rapid.T) {
	if got := m.store.Len(); got != len(m.records) || got > m.capacity {
		t.Fatalf("Len is %d, want %d, at most %d", got, len(m.records), m.capacity)
	}
	if got := m.store.Evictions(); got != uint64(m.evicted) || m.reported != m.evicted {
		t.Fatalf("Evictions is %d and OnEvict heard of %d, want %d", got, m.reported, m.evicted)
	}
}

func (r *held) hold(now time.Time, lease time.Duration) {
	r.lease = now.Add(lease)
	r.expires = now.Add(max(lease, r.retain))
}

func (r *held) expired(now time.Time) bool { return !r.expires.After(now) }

func (r *held) lapsed(now time.Time) bool { return r.status == 0 && !r.lease.After(now) }

func (m *machine) live(key string, now time.Time) *held {
	if r := m.records[key]; r != nil && !r.expired(now) {
		return r
	}
	return nil
}

func (m *machine) reservedBy(key string, token store.Token) bool {
	r := m.records[key]
	return r != nil && r.status == 0 && r.token == token
}

func (m *machine) expect(t *rapid.T, got store.Reservation, err error, want store.Reservation) {
	if err != nil || got.Acquired != want.Acquired || got.TakenOver != want.TakenOver {
		t.Fatalf("Reserve: %+v, %v, want %+v", got, err, want)
	}
}

func (m *machine) expectHeld(t *rapid.T, call string, err error, holds bool) {
	if holds && err != nil || !holds && !errors.Is(err, store.ErrLeaseLost) {
		t.Fatalf("%s: %v, the token holds the key: %t", call, err, holds)
	}
}

// same expects a record to be what the model knows.
func (m *machine) same(t *rapid.T, key string, record *store.Record) {
	got := held{
		token: record.Token, binding: record.Binding,
		lease: record.LeaseExpiresAt, created: record.CreatedAt, expires: record.ExpiresAt,
	}
	if record.Final() {
		got.status = record.Outcome.Status
	}
	want := *m.records[key]
	want.retain, want.rank = 0, 0
	if got != want {
		t.Fatalf("record of %s: %+v, want %+v", key, got, want)
	}
}
