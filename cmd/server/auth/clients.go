package auth

import (
	"crypto/subtle"
	"errors"
)

// client is who may get a token at the token endpoint.
type client struct {
	secret    digest
	principal string
}

// clients are by their ids.
type clients map[string]client

// parseClients reads a line for each client: its id, the digest of its secret,
// and its principal, which is the rest of the line.
func parseClients(content []byte) (clients, error) {
	known := clients{}
	err := eachLine(content, func(line string) error {
		id, rest := cutWord(line)
		word, principal := cutWord(rest)
		sum, ok := readDigest(word)
		switch {
		case !ok:
			return errors.New("a client's id must be followed by the SHA-256 of its secret in hexadecimal")
		case principal == "":
			return errors.New("the client has no principal")
		}
		if _, twice := known[id]; twice {
			return errors.New("the client is there twice")
		}
		known[id] = client{sum, principal}
		return nil
	})
	return known, err
}

// authenticate returns the client of an id and a secret. It takes as long for an
// id that there is not, and for any secret.
func (c clients) authenticate(id, secret string) (client, bool) {
	known, ok := c[id]
	given := digestOf(secret)
	same := subtle.ConstantTimeCompare(known.secret[:], given[:]) == 1
	return known, ok && same
}
