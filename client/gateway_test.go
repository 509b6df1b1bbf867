package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/client/clienttest"
)

// When the first answer is lost and the server's gateway then answers by itself, as
// while pods restart, an applied mutation is never reported as refused.
func TestGatewayAnswersAfterALoss(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "default backend - 404", "<html>", `{"message":"no Route matched"}`} {
		for _, status := range []int{400, 404, 405, 409, 410, 413} {
			for _, times := range []int32{2, 100} {
				gateway := clienttest.Fault{Kind: clienttest.Refuse, Status: status, Body: body}
				t.Run(fmt.Sprintf("%v, %d times", gateway, times), func(t *testing.T) {
					t.Parallel()
					gatewayAfterALoss(t, gateway, times)
				})
			}
		}
	}
}

func gatewayAfterALoss(t *testing.T, gateway clienttest.Fault, times int32) {
	var mutations atomic.Int32
	c := newCatalog(t, time.Minute, func(r *http.Request) clienttest.Fault {
		if r.Method == http.MethodGet {
			return clienttest.Fault{}
		}
		switch n := mutations.Add(1); {
		case n == 1:
			return clienttest.Fault{Kind: clienttest.Reset}
		case n <= times+1:
			return gateway
		}
		return clienttest.Fault{}
	})
	defer c.close()
	safe, closeClient := newClient(t, func(*client.Options) {})
	defer closeClient()
	response, err := safe.Do(post(t, c.url))
	if c.count("create db") != 1 {
		t.Errorf("applied %v", c.applied)
	}
	if times < 10 {
		if err != nil {
			t.Fatal(err)
		}
		if _ = response.Body.Close(); response.StatusCode != 200 || response.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%d %v", response.StatusCode, response.Header)
		}
		return
	}
	var e *client.Error
	if !errors.As(err, &e) || !e.StateUnknown || e.Attempts != 10 || !errors.Is(err, client.ErrAttempts) {
		t.Errorf("%v", err)
	}
}

// An ingress that answers the question by itself does not turn keys off.
func TestGatewayAnswersTheQuestion(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 404, 405, 503} {
		for _, times := range []int32{2, 10} {
			var questions, mutations atomic.Int32
			c := newCatalog(t, time.Minute, func(r *http.Request) clienttest.Fault {
				switch {
				case r.Method == http.MethodGet && questions.Add(1) <= times:
					return clienttest.Fault{Kind: clienttest.Refuse, Status: status, Body: "<html>"}
				case r.Method != http.MethodGet && mutations.Add(1) == 1:
					return clienttest.Fault{Kind: clienttest.Lose}
				}
				return clienttest.Fault{}
			})
			safe, closeClient := newClient(t, func(*client.Options) {})
			if times == 10 {
				_, err := safe.Do(post(t, c.url))
				var e *client.Error
				if !errors.As(err, &e) || e.Attempts != 0 || e.StateUnknown || mutations.Load() != 0 {
					t.Errorf("%d: %v", status, err)
				}
			}
			if response, err := safe.Do(post(t, c.url)); err != nil {
				t.Errorf("%d: %v", status, err)
			} else if _ = response.Body.Close(); response.StatusCode != 200 || c.count("create db") != 1 || mutations.Load() != 2 {
				t.Errorf("%d: %d after %d attempts", status, response.StatusCode, mutations.Load())
			}
			closeClient()
			c.close()
		}
	}
}
