package client

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
)

// newKey makes a UUIDv7 (RFC 9562 section 5.7): 48 bits of the clock's
// milliseconds, 74 of randomness. Package uuid would use the system's clock.
func newKey(random io.Reader, now time.Time) (string, error) {
	var id uuid.UUID
	if _, err := io.ReadFull(random, id[6:]); err != nil {
		return "", fmt.Errorf("making a key: %w", err)
	}
	var millis [8]byte
	binary.BigEndian.PutUint64(millis[:], uint64(now.UnixMilli()))
	copy(id[:6], millis[2:])
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id.String(), nil
}

// madeAt returns the time that a caller's UUIDv7 carries. One from the future, or
// of another form, counts from now.
func madeAt(key string, now time.Time) time.Time {
	id, err := uuid.Parse(key)
	if err != nil || id.Version() != 7 {
		return now
	}
	var millis [8]byte
	copy(millis[2:], id[:6])
	made := time.UnixMilli(int64(binary.BigEndian.Uint64(millis[:])))
	if made.After(now) {
		return now
	}
	return made
}
