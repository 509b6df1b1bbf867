package settings

import (
	"log/slog"
	"path/filepath"
	"time"
)

// Settings is the configuration of a server. Load fills every field.
type Settings struct {
	// Listen is the address to serve on, host:port. Port 0 picks a free one.
	Listen string
	// ShutdownTimeout is how long what is in flight may take to finish.
	ShutdownTimeout time.Duration
	// MaxRequestBody is the size of the largest request body in bytes.
	MaxRequestBody int64
	// TLS holds the files to serve HTTPS with; both empty is plain HTTP.
	TLS struct{ Cert, Key string }
	// Auth says who may call, and what callers may do.
	Auth Auth
	// Log says what is logged, and how.
	Log struct {
		Level slog.Level
		// Format is LogText or LogJSON.
		Format string
	}
	// Tracing holds the OTLP endpoint, empty for no traces.
	Tracing struct{ Endpoint string }
	// DataFolder is where database and warehouse are that are not configured.
	DataFolder string
	// Catalog says where tables are kept, and what clients are told.
	Catalog struct {
		// SQL is the catalog's database; without a DSN, SQLite in DataFolder.
		SQL SQL
		// Warehouse is the location below which tables get theirs; empty for a
		// folder in DataFolder.
		Warehouse string
		// IO configures access to object stores, by iceberg-go's names.
		IO map[string]string
		// Locations are where tables may be beside the warehouse.
		Locations          []string
		Warehouses         []string
		NamespaceSeparator string
	}
	// Idempotency says how keyed requests are treated.
	Idempotency Idempotency

	origins map[string]string
}

// Idempotency is the part of the settings that concerns keyed requests. Its
// fields correspond to those of runtime.Config, memory.Options and
// sqlstore.Options.
type Idempotency struct {
	Enabled            bool
	KeyLifetime        time.Duration
	LifetimeInDefaults bool
	Grace              time.Duration
	// StoreType is StoreMemory or StoreSQL.
	StoreType        string
	MaxEntries       int
	MaxBytes         int64
	WhenFull         string
	CleanupInterval  time.Duration
	SQL              SQL
	WaitTimeout      time.Duration
	Lease            time.Duration
	ExecutionTimeout time.Duration
	InProgressStatus string
	StaleKey         string
	OnStoreError     string
	MaxStoredBody    int64
	AnyUUIDVersion   bool
}

// Auth is the part of the settings that concerns callers; see package auth.
type Auth struct {
	// Type is AuthNone, AuthTokens or AuthOIDC.
	Type string
	// TokensFile lists the static tokens of AuthTokens, ClientsFile the clients
	// that get theirs from the token endpoint.
	TokensFile, ClientsFile string
	// TokenKeyFile holds what the token endpoint signs with, and TokenLifetime
	// how long what it signed is valid.
	TokenKeyFile  string
	TokenLifetime time.Duration
	// OIDC is the issuer of AuthOIDC.
	OIDC struct {
		Issuer, Audience, JWKSURL string
		ClockSkew                 time.Duration
		PrincipalClaim            string
	}
	// RulesFile says what callers may do; empty lets them do everything.
	RulesFile string
}

// SQL is a database and how to reach it.
type SQL struct {
	DSN, User, Password string
	MaxPoolSize         int
}

// CatalogDSN names the catalog's database.
func (s *Settings) CatalogDSN() string {
	if s.Catalog.SQL.DSN != "" {
		return s.Catalog.SQL.DSN
	}
	return "sqlite:" + filepath.Join(s.DataFolder, "catalog.db")
}

// SharesDatabase reports whether records are kept in the catalog's database, so
// that a mutation and its record are one transaction.
func (s *Settings) SharesDatabase() bool {
	i := &s.Idempotency
	return i.Enabled && i.StoreType == StoreSQL && i.SQL.DSN == ""
}

// The values of keys that choose.
const (
	AuthNone    = "none"
	AuthTokens  = "tokens"
	AuthOIDC    = "oidc"
	LogText     = "text"
	LogJSON     = "json"
	StoreMemory = "in-memory"
	StoreSQL    = "sql"
)
