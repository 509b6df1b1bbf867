package runtime

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

const (
	keyUpper = "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"
	keyLower = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
)

// case A7: the two spellings are one key.
func TestParseKeyCanonical(t *testing.T) {
	t.Parallel()
	for _, spelling := range []string{keyUpper, keyLower, "017F22e2-79b0-7Cc3-98C4-dc0c0c07398F"} {
		key, err := parseKey("Idempotency-Key", []string{spelling}, false)
		if err != nil || key != keyLower {
			t.Errorf("parseKey(%q) = %q, %v; want %q", spelling, key, err, keyLower)
		}
	}
}

var malformedKeys = map[string][]string{
	"no value":            {},
	"two headers":         {keyLower, keyLower},
	"comma list":          {keyLower + "," + keyLower},
	"comma list, spaced":  {keyLower + ", " + keyLower},
	"empty":               {""},
	"one character":       {"x"},
	"spaces":              {strings.Repeat(" ", 36)},
	"leading space":       {" " + keyLower},
	"trailing space":      {keyLower + " "},
	"trailing newline":    {keyLower + "\n"},
	"too short":           {keyLower[:35]},
	"too long":            {keyLower + "0"},
	"braces":              {"{" + keyLower + "}"},
	"braces, 36 in all":   {"{" + keyLower[1:35] + "}"},
	"urn":                 {"urn:uuid:" + keyLower},
	"quoted":              {`"` + keyLower + `"`},
	"no hyphens":          {strings.ReplaceAll(keyLower, "-", "")},
	"hyphens misplaced":   {"017f22e-279b0-7cc3-98c4-dc0c0c07398f"},
	"extra hyphens":       {"017f22e2-79b0-7cc3-98c4-dc0c0c07-98f"},
	"underscores":         {strings.ReplaceAll(keyLower, "-", "_")},
	"not hexadecimal":     {"017f22e2-79b0-7cc3-98c4-dc0c0c07398g"},
	"non-ASCII, 36 bytes": {"017f22e2-79b0-7cc3-98c4-dc0c0c0739é"},
	"full-width digits":   {"017f22e2-79b0-7cc3-98c4-dc0c0c07３98"},
	"NUL":                 {"017f22e2-79b0-7cc3-98c4-dc0c0c07398\x00"},
	"variant 0":           {"017f22e2-79b0-7cc3-18c4-dc0c0c07398f"},
	"variant 110":         {"017f22e2-79b0-7cc3-c8c4-dc0c0c07398f"},
	"variant 111":         {"017f22e2-79b0-7cc3-f8c4-dc0c0c07398f"},
	"nil UUID":            {"00000000-0000-0000-0000-000000000000"},
	"max UUID":            {"ffffffff-ffff-ffff-ffff-ffffffffffff"},
}

func TestParseKeyMalformed(t *testing.T) {
	t.Parallel()
	for name, values := range malformedKeys {
		for _, any := range []bool{false, true} {
			key, err := parseKey("Idempotency-Key", values, any)
			e, ok := asError(err)
			if key != "" || !ok || e.Status != http.StatusBadRequest || !strings.HasPrefix(e.Message, "Idempotency-Key ") {
				t.Errorf("%s (any version %t): got %q, %v; want a 400 that names the header", name, any, key, err)
			}
		}
	}
}

func TestParseKeyVersions(t *testing.T) {
	t.Parallel()
	for _, version := range "0123456789abcdefABCDEF" {
		spelling := keyLower[:14] + string(version) + keyLower[15:]
		_, err := parseKey("Idempotency-Key", []string{spelling}, false)
		if (err == nil) != (version == '7') {
			t.Errorf("version %c: %v", version, err)
		}
		if _, err := parseKey("Idempotency-Key", []string{spelling}, true); err != nil {
			t.Errorf("version %c with any version allowed: %v", version, err)
		}
	}
}

func TestParseKeyVariants(t *testing.T) {
	t.Parallel()
	for _, variant := range "0123456789abcdefABCDEF" {
		spelling := keyLower[:19] + string(variant) + keyLower[20:]
		_, err := parseKey("Idempotency-Key", []string{spelling}, false)
		if (err == nil) != strings.ContainsRune("89abAB", variant) {
			t.Errorf("variant %c: %v", variant, err)
		}
	}
}

func TestParseKeyAllocations(t *testing.T) {
	values := []string{keyLower}
	if n := testing.AllocsPerRun(100, func() { _, _ = parseKey("Idempotency-Key", values, false) }); n != 0 {
		t.Errorf("a lower-case key costs %v allocations; want 0", n)
	}
}

func TestKeyTime(t *testing.T) {
	t.Parallel()
	before := time.Now().Truncate(time.Millisecond)
	made, ok := keyTime(uuid.Must(uuid.NewV7()).String())
	if !ok || made.Before(before) || made.After(time.Now()) {
		t.Errorf("keyTime of a fresh key = %v, %t; want now", made, ok)
	}
	// RFC 9562, appendix A.6.
	if made, _ = keyTime(keyLower); !made.Equal(time.Date(2022, 2, 22, 19, 22, 22, 0, time.UTC)) {
		t.Errorf("keyTime(%q) = %v", keyLower, made.UTC())
	}
	if _, ok = keyTime(uuid.NewString()); ok {
		t.Error("a version 4 key has no time")
	}
}

func FuzzParseKey(f *testing.F) {
	f.Add(keyLower)
	f.Add(keyUpper)
	for _, values := range malformedKeys {
		if len(values) == 1 {
			f.Add(values[0])
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		key, err := parseKey("Idempotency-Key", []string{text}, false)
		if err != nil {
			return
		}
		want, err := uuid.Parse(text)
		if err != nil || want.Version() != 7 || want.Variant() != uuid.RFC4122 || want.String() != key {
			t.Fatalf("parseKey(%q) = %q; uuid.Parse gives %v, %v", text, key, want, err)
		}
	})
}
