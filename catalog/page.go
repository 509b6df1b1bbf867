package catalog

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// page is the part of a sorted listing that a request asks for.
type page struct {
	// after is the name after which the page starts, empty for the first.
	after string
	// size is how many names it may have; 0 means all.
	size int
}

// readPage reads a request's pageToken and pageSize. Without a token the whole
// listing is one page, whatever the size: the client did not ask for pages. The
// listing is what tokens are made for; another's is refused.
func readPage(listing string, token *string, size *int64) (page, error) {
	if size != nil && *size < 1 {
		return page{}, badRequest("Query parameter pageSize must be at least 1, not %d", *size)
	}
	if token == nil {
		return page{}, nil
	}
	var p page
	if size != nil {
		p.size = int(min(*size, 1<<30))
	}
	if *token == "" {
		return p, nil
	}
	after, ok := openToken(listing, *token)
	if !ok {
		return page{}, badRequest("Query parameter pageToken was not made by this server for this listing")
	}
	p.after = after
	return p, nil
}

// cut returns the page's names and the token of the next page, empty on the last
// one. names is sorted and holds no empty name.
func (p page) cut(listing string, names []string) (cut []string, next string) {
	start, found := slices.BinarySearch(names, p.after)
	if found {
		start++
	}
	names = names[start:]
	if p.size == 0 || len(names) <= p.size {
		return names, ""
	}
	names = names[:p.size]
	return names, makeToken(listing, names[p.size-1])
}

// A token is the last name of the page before, behind a checksum that also
// covers what is listed: a token that was cut short, or is another listing's,
// must not silently give the wrong page. It is no secret.
const checksumSize = 4

func makeToken(listing, after string) string {
	token := binary.BigEndian.AppendUint32(nil, checksum(listing, after))
	return base64.RawURLEncoding.EncodeToString(append(token, after...))
}

func openToken(listing, token string) (after string, ok bool) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(text) <= checksumSize {
		return "", false
	}
	after = string(text[checksumSize:])
	return after, binary.BigEndian.Uint32(text) == checksum(listing, after)
}

func checksum(listing, after string) uint32 {
	return crc32.ChecksumIEEE([]byte(listing + "\x00" + after))
}
