package settings

import (
	"time"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/memory"
)

// Key is one entry of the configuration.
type Key struct {
	// Name is the key as the file, the flag and every message call it.
	Name string
	// Default is its value where nothing sets it.
	Default string
	// About says in one line what it is for.
	About string

	in func(*Settings) value
}

// Form says what a value of the key looks like.
func (k Key) Form() string { return k.in(new(Settings)).form() }

const day = 24 * time.Hour

// Keys are all there are, in the order in which people read them.
var Keys = []Key{
	{
		"listen", "127.0.0.1:8181", "address to serve on; port 0 picks a free one",
		func(s *Settings) value { return address{&s.Listen} },
	},
	{
		"shutdown-timeout", "PT25S", "how long requests in flight may take to finish when the server is told to stop",
		func(s *Settings) value { return span{&s.ShutdownTimeout, time.Millisecond, day} },
	},
	{
		"max-request-body", "64 MiB", "largest request body",
		func(s *Settings) value { return size{&s.MaxRequestBody, 1 << 30} },
	},
	{
		"tls.cert", "", "PEM file with the certificate chain; with tls.key, serves HTTPS",
		func(s *Settings) value { return text{&s.TLS.Cert, "file"} },
	},
	{
		"tls.key", "", "PEM file with the certificate's private key",
		func(s *Settings) value { return text{&s.TLS.Key, "file"} },
	},
	{
		"auth.type", AuthNone, "who may call: everybody, or who presents a bearer token that this server knows or an OpenID issuer signed",
		func(s *Settings) value { return choice{&s.Auth.Type, []string{AuthNone, AuthTokens, AuthOIDC}} },
	},
	{
		"auth.tokens-file", "", "file with a line \"SHA256-OF-TOKEN PRINCIPAL\" for each token",
		func(s *Settings) value { return text{&s.Auth.TokensFile, "file"} },
	},
	{
		"auth.clients-file", "", "file with a line \"CLIENT-ID SHA256-OF-SECRET PRINCIPAL\" for each client that gets tokens from POST /v1/oauth/tokens",
		func(s *Settings) value { return text{&s.Auth.ClientsFile, "file"} },
	},
	{
		"auth.token-key-file", "", "file with the secret that signs those tokens, one for all nodes; without it every process makes one up",
		func(s *Settings) value { return text{&s.Auth.TokenKeyFile, "file"} },
	},
	{
		"auth.token-lifetime", "PT1H", "how long those tokens are valid",
		func(s *Settings) value { return span{&s.Auth.TokenLifetime, time.Second, 366 * day} },
	},
	{
		"auth.oidc.issuer", "", "OpenID issuer whose tokens are taken, exactly as they name it",
		func(s *Settings) value { return endpoint{&s.Auth.OIDC.Issuer} },
	},
	{
		"auth.oidc.audience", "", "audience that a token must be for",
		func(s *Settings) value { return text{&s.Auth.OIDC.Audience, "text"} },
	},
	{
		"auth.oidc.jwks-url", "", "URL of the issuer's keys; empty asks the issuer where they are",
		func(s *Settings) value { return endpoint{&s.Auth.OIDC.JWKSURL} },
	},
	{
		"auth.oidc.clock-skew", "PT1M", "how far the issuer's clock and this one may be apart",
		func(s *Settings) value { return span{&s.Auth.OIDC.ClockSkew, time.Millisecond, time.Hour} },
	},
	{
		"auth.oidc.principal-claim", "sub", "claim of a token that names the caller",
		func(s *Settings) value { return text{&s.Auth.OIDC.PrincipalClaim, "text"} },
	},
	{
		"auth.rules-file", "", "YAML file that says which caller may do what; empty lets every caller do everything",
		func(s *Settings) value { return text{&s.Auth.RulesFile, "file"} },
	},
	{
		"log.level", "info", "least level that is logged",
		func(s *Settings) value { return level{&s.Log.Level} },
	},
	{
		"log.format", LogText, "form of the log on standard error",
		func(s *Settings) value { return choice{&s.Log.Format, []string{LogText, LogJSON}} },
	},
	{
		"tracing.otlp-endpoint", "", "URL that traces are sent to by OTLP over HTTP, such as http://localhost:4318; empty sends none",
		func(s *Settings) value { return endpoint{&s.Tracing.Endpoint} },
	},
	{
		"data-folder", "onceberg-data", "folder of the catalog's database and warehouse, unless the keys below name others",
		func(s *Settings) value { return text{&s.DataFolder, "folder"} },
	},
	{
		"catalog.dsn", "", "database of the catalog: postgres://, mysql://, or sqlite: with a path; empty for SQLite in the data folder",
		func(s *Settings) value { return dsn{&s.Catalog.SQL.DSN} },
	},
	{
		"catalog.user", "", "user, in place of the DSN's",
		func(s *Settings) value { return text{&s.Catalog.SQL.User, "text"} },
	},
	{
		"catalog.password", "", "password, in place of the DSN's; never shown or logged",
		func(s *Settings) value { return secret{&s.Catalog.SQL.Password} },
	},
	{
		"catalog.max-pool-size", "10", "most connections to the database",
		func(s *Settings) value { return count{&s.Catalog.SQL.MaxPoolSize, 1, 1 << 16} },
	},
	{
		"catalog.warehouse", "", "location below which tables are kept, such as s3://bucket/path; empty for a folder in the data folder",
		func(s *Settings) value { return text{&s.Catalog.Warehouse, "location"} },
	},
	{
		"catalog.locations", "", "where tables and their files may be beside the warehouse, such as s3://bucket/other; * allows everywhere",
		func(s *Settings) value { return list{&s.Catalog.Locations} },
	},
	{
		"catalog.io", "", "access to object stores by iceberg-go's names, such as s3.region=eu-central-1; values are never shown or logged",
		func(s *Settings) value { return pairs{&s.Catalog.IO} },
	},
	{
		"catalog.warehouses", "warehouse", "names that clients may ask for as their warehouse; empty accepts any",
		func(s *Settings) value { return list{&s.Catalog.Warehouses} },
	},
	{
		"catalog.namespace-separator", "%1F", "what joins the levels of a namespace in paths, URL-encoded; %1F is understood always",
		func(s *Settings) value { return text{&s.Catalog.NamespaceSeparator, "text"} },
	},
	{
		"idempotency.enabled", "false", "whether Idempotency-Key is honoured, and the lifetime advertised",
		func(s *Settings) value { return truth{&s.Idempotency.Enabled} },
	},
	{
		"idempotency.key-lifetime", "PT30M", "how long clients may retry with a key, as GET /v1/config advertises it",
		func(s *Settings) value { return span{&s.Idempotency.KeyLifetime, time.Second, 366 * day} },
	},
	{
		"idempotency.lifetime-in-defaults", "false", "whether the lifetime is also advertised among the defaults of GET /v1/config",
		func(s *Settings) value { return truth{&s.Idempotency.LifetimeInDefaults} },
	},
	{
		"idempotency.grace", "PT5M", "how much longer than the lifetime a record is kept",
		func(s *Settings) value { return span{&s.Idempotency.Grace, time.Second, 366 * day} },
	},
	{
		"idempotency.store-type", StoreMemory, "where records are kept: in this process, or in a database",
		func(s *Settings) value { return choice{&s.Idempotency.StoreType, []string{StoreMemory, StoreSQL}} },
	},
	{
		"idempotency.max-entries", "10000", "most records that the in-memory store holds",
		func(s *Settings) value { return count{&s.Idempotency.MaxEntries, 1, 1 << 30} },
	},
	{
		"idempotency.max-bytes", "256 MiB", "size of all stored answers from which the in-memory store is full",
		func(s *Settings) value { return size{&s.Idempotency.MaxBytes, 1 << 40} },
	},
	{
		"idempotency.when-full", string(memory.Evict), "what the in-memory store does when it is full: forget a finished record, or refuse the new key",
		func(s *Settings) value { return choice{&s.Idempotency.WhenFull, texts(memory.Evict, memory.Refuse)} },
	},
	{
		"idempotency.cleanup-interval", "PT5M", "how often expired records are deleted",
		func(s *Settings) value { return span{&s.Idempotency.CleanupInterval, time.Second, day} },
	},
	{
		"idempotency.sql.dsn", "", "database of the sql store, if it is not to be the catalog's: postgres://, mysql://, or sqlite: with a path",
		func(s *Settings) value { return dsn{&s.Idempotency.SQL.DSN} },
	},
	{
		"idempotency.sql.user", "", "user, in place of the DSN's",
		func(s *Settings) value { return text{&s.Idempotency.SQL.User, "text"} },
	},
	{
		"idempotency.sql.password", "", "password, in place of the DSN's; never shown or logged",
		func(s *Settings) value { return secret{&s.Idempotency.SQL.Password} },
	},
	{
		"idempotency.sql.max-pool-size", "10", "most connections to the database",
		func(s *Settings) value { return count{&s.Idempotency.SQL.MaxPoolSize, 1, 1 << 16} },
	},
	{
		"idempotency.wait-timeout", "PT2S", "how long a retry waits for the first attempt before it is told to come back",
		func(s *Settings) value { return span{&s.Idempotency.WaitTimeout, time.Millisecond, time.Hour} },
	},
	{
		"idempotency.lease", "PT30S", "how long a reservation outlives a node that died",
		func(s *Settings) value { return span{&s.Idempotency.Lease, time.Second, day} },
	},
	{
		"idempotency.execution-timeout", "PT60S", "how long a keyed request may execute",
		func(s *Settings) value { return span{&s.Idempotency.ExecutionTimeout, time.Millisecond, day} },
	},
	{
		"idempotency.in-progress-status", string(runtime.InProgressAuto), "what a retry is answered while the first attempt runs; auto is 503 for commits, 409 elsewhere",
		func(s *Settings) value {
			return choice{
				&s.Idempotency.InProgressStatus,
				texts(runtime.InProgressAuto, runtime.InProgress409, runtime.InProgress503),
			}
		},
	},
	{
		"idempotency.stale-key", string(runtime.StaleKeyExecute), "what a key older than lifetime and grace gets",
		func(s *Settings) value {
			return choice{&s.Idempotency.StaleKey, texts(runtime.StaleKeyExecute, runtime.StaleKeyReject)}
		},
	},
	{
		"idempotency.on-store-error", string(runtime.StoreErrorFail), "what a keyed request gets when the store cannot be reached: 503, or execution without its promise",
		func(s *Settings) value {
			return choice{&s.Idempotency.OnStoreError, texts(runtime.StoreErrorFail, runtime.StoreErrorBypass)}
		},
	},
	{
		"idempotency.max-stored-body", "16 MiB", "largest response body that is stored for replay",
		func(s *Settings) value { return size{&s.Idempotency.MaxStoredBody, 1 << 30} },
	},
	{
		"idempotency.any-uuid-version", "false", "whether keys may be UUIDs of another version than 7",
		func(s *Settings) value { return truth{&s.Idempotency.AnyUUIDVersion} },
	},
}

// texts are typed values as plain ones.
func texts[T ~string](values ...T) []string {
	plain := make([]string, len(values))
	for i, v := range values {
		plain[i] = string(v)
	}
	return plain
}

// find returns the key of a name.
func find(name string) (Key, bool) {
	for _, key := range Keys {
		if key.Name == name {
			return key, true
		}
	}
	return Key{}, false
}
