package runtime

import (
	"errors"
	"net/http"
	"time"

	"github.com/onceberg/onceberg/store"
)

// retryAge is the age from which a key is probably a retry's.
const retryAge = 1500 * time.Millisecond

// lookFirst loads the record before the key is claimed, where the key's age
// makes that worth a round trip: to refuse a stale key, and in transactional
// mode to spare a probable retry the execution. Age is a hint: whatever it says,
// the claim decides. So it does about a reservation that a lost attempt left.
func (k *call) lookFirst() (answered bool, err error) {
	reject, transactional := k.g.cfg.StaleKey == StaleKeyReject, k.g.transactional != nil
	if !reject && !transactional {
		return false, nil
	}
	age, _ := k.age() // zero when the key does not tell
	stale := reject && age > k.g.retain
	if !stale && !(transactional && age > retryAge) {
		return false, nil
	}
	record, err := k.g.store.Load(k.requestContext(), k.claim.Key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		if stale {
			return true, k.staleKey()
		}
		return false, nil
	case err != nil:
		return true, k.storeFailed(err)
	}
	answered, err = k.fromRecord(record)
	if !answered && transactional && !record.Lapsed {
		return true, k.inProgress()
	}
	if !answered && transactional {
		k.note(EventTakenOver)
		k.ex.takenOver = true
	}
	return answered, err
}

// forgotten reports whether a key without a record may have been executed by the
// process before this one, whose records were lost with it.
func (k *call) forgotten() bool {
	if !k.g.cfg.Volatile {
		return false
	}
	age, told := k.age()
	return told && age <= k.g.retain && k.g.cfg.Now().Add(-age).Before(k.g.born)
}

func (k *call) staleKey() error {
	k.note(EventStaleKey)
	return Errorf(http.StatusBadRequest, "", "%s was made longer ago than the %s for which a key is remembered; use a new one",
		k.ex.op.KeyHeader, FormatDuration(k.g.retain))
}
