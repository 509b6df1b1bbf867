package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// keys sign issued tokens. The first one signs; what any of them has signed is
// valid, so that a key can be replaced without a token becoming worthless.
type keys [][]byte

// minKey is how long a key must be for HS256.
const minKey = 32

// parseKeys reads a line for each key.
func parseKeys(content []byte) (keys, error) {
	var known keys
	err := eachLine(content, func(line string) error {
		if len(line) < minKey {
			return fmt.Errorf("a key must have at least %d characters", minKey)
		}
		known = append(known, []byte(line))
		return nil
	})
	if err == nil && len(known) == 0 {
		err = about("there is no key in the file")
	}
	return known, err
}

// madeUp is a key for this process alone.
func madeUp() keys {
	key := make([]byte, minKey)
	_, _ = rand.Read(key) // it never fails
	return keys{key}
}

// signer issues tokens to clients and knows them again. Since the same servers
// sign and verify, a shared secret does what a pair of keys would.
type signer struct {
	keys     func() keys
	clients  *file[clients]
	lifetime time.Duration
	now      func() time.Time
}

// tokenType keeps tokens apart from all else that may be signed with the key.
const tokenType = "onceberg+jwt"

// issued is what a token says.
type issued struct {
	jwt.Claims
	ClientID string `json:"client_id"`
}

// sign makes a token for a client.
func (s *signer) sign(id string, c client) (string, error) {
	options := (&jose.SignerOptions{}).WithType(tokenType)
	by, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: s.keys()[0]}, options)
	if err != nil {
		return "", fmt.Errorf("auth: %w", err)
	}
	now := s.now()
	token, err := jwt.Signed(by).Claims(issued{ClientID: id, Claims: jwt.Claims{
		Subject: c.principal, IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(s.lifetime)),
	}}).Serialize()
	if err != nil {
		return "", fmt.Errorf("auth: %w", err)
	}
	return token, nil
}

// principal is whose a token is. It is worth nothing once its client is gone from
// the file, or stands for somebody else.
func (s *signer) principal(_ context.Context, token string) (string, error) {
	claims, err := s.verify(token)
	if err != nil {
		return "", err
	}
	if claims.Expiry == nil || !s.now().Before(claims.Expiry.Time()) {
		return "", errExpired
	}
	known, ok := s.clients.get()[claims.ClientID]
	if !ok || known.principal != claims.Subject {
		return "", fmt.Errorf("%w: its client is gone", errNotValid)
	}
	return claims.Subject, nil
}

func (s *signer) verify(token string) (*issued, error) {
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.HS256})
	if err != nil || len(parsed.Headers) != 1 || parsed.Headers[0].ExtraHeaders[jose.HeaderType] != tokenType {
		return nil, errNotValid
	}
	for _, key := range s.keys() {
		claims := new(issued)
		if err = parsed.Claims(key, claims); err == nil {
			return claims, nil
		}
	}
	return nil, errors.Join(errNotValid, err)
}
