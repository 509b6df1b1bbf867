// Package storetest is the suite that every implementation of store.Store
// passes, third-party ones too. The test of an implementation is wiring only:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(tb testing.TB) storetest.Instance {
//			s := mystore.Open(tb.TempDir())
//			tb.Cleanup(func() { s.Close() })
//			return storetest.Instance{Store: s}
//		})
//	}
//
// RunTransactional does the same for store.Transactional, and needs an Instance
// with a Counter.
//
// # Time
//
// The suite never sleeps and never races a lease against a slow machine. What
// must stay alive lives for an hour; what must run out lasts for a moment, and
// the suite then makes the store's own clock pass it: by Instance.Advance where
// the clock can be moved, and otherwise by reserving a witness key for as long
// and polling until the store says that the witness can be taken over.
//
// # What the suite fixes
//
// Where package store leaves room, the suite decides, so that all stores agree:
//
//   - A reservation under a running lease never counts as expired, however short
//     its retention. A store gets this by keeping ExpiresAt at or after
//     LeaseExpiresAt.
//   - A lapsed reservation is taken over only by a claim with the same binding.
//     A claim with another binding gets the reservation in Existing, so that a
//     reused key is refused even after a crash. Once the retention has passed as
//     well the key is free for anyone, and TakenOver is false.
//   - A takeover keeps CreatedAt: the key was first reserved then.
package storetest
