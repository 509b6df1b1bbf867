// Package settings reads the configuration of cmd/server.
//
// There is one table, [Keys]. Each entry says how a key is called, what it
// defaults to, what it means and where in [Settings] it goes; the flags, the
// environment variables, the validation, the output of "server config" and the
// documentation's table all come from it or are held against it.
//
// A key can be set in three places, of rising precedence: in a YAML file, where
// the dots of its name are levels (or just dots); in an environment variable,
// ONCEBERG_ followed by its name in upper case with dots and dashes as
// underscores; and by a flag of its own name. What no key matches, and what a
// key does not accept, is an error that names the key and the place, even when a
// later place would have overridden it: a typing mistake must not wait for the
// day on which it counts.
package settings
