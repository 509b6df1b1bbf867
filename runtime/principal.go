package runtime

import "context"

type principalKey struct{}

// WithPrincipal returns a context that carries the caller's name. The
// authentication layer calls it before the generated handlers run. The name
// must identify the caller, not its token: tokens are renewed between retries.
func WithPrincipal(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, principalKey{}, name)
}

// Principal returns the caller's name, empty when nobody was authenticated.
func Principal(ctx context.Context) string {
	name, _ := ctx.Value(principalKey{}).(string)
	return name
}
