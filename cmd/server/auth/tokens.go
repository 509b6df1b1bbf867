package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// digest is the SHA-256 of a secret. The server has the secret itself only for
// the time of a request.
type digest [sha256.Size]byte

func digestOf(secret string) digest { return sha256.Sum256([]byte(secret)) }

// readDigest reads a digest in hexadecimal.
func readDigest(text string) (digest, bool) {
	sum, err := hex.DecodeString(text)
	if err != nil || len(sum) != sha256.Size {
		return digest{}, false
	}
	return digest(sum), true
}

// tokens are the static ones, each with its principal. They are looked up by
// digest: how long that takes may tell something about digests, of which nobody
// can find the token, and nothing about tokens.
type tokens map[digest]string

// parseTokens reads a line for each token: its digest and its principal, which
// is the rest of the line.
func parseTokens(content []byte) (tokens, error) {
	known := tokens{}
	err := eachLine(content, func(line string) error {
		word, principal := cutWord(line)
		sum, ok := readDigest(word)
		switch {
		case !ok:
			return errors.New("the line does not begin with a SHA-256 in hexadecimal and a space")
		case principal == "":
			return errors.New("the token has no principal")
		}
		if _, twice := known[sum]; twice {
			return errors.New("the token is there twice")
		}
		known[sum] = principal
		return nil
	})
	return known, err
}

// staticTokens knows the tokens of a file.
type staticTokens struct{ *file[tokens] }

func (s staticTokens) principal(_ context.Context, token string) (string, error) {
	if principal, ok := s.get()[digestOf(token)]; ok {
		return principal, nil
	}
	return "", errNotValid
}
