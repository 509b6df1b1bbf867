package files

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/properties"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

const (
	metadataPath  = "write.metadata.path"
	metadataCodec = "write.metadata.compression-codec"
)

// NextName returns the location of a table's or view's next metadata file: in the folder that the property
// write.metadata.path names, or else in "metadata" under the base location; numbered one after the previous file, or 0
// when there is none or its name has no number; made unique by the uuid; and ending as the property
// write.metadata.compression-codec (none or gzip) demands. An unknown codec is a fault of kind IllegalArgument.
func NextName(base string, all *rawjson.Object, previous, uuid string) (string, error) {
	ending := ".metadata.json"
	switch codec := properties.Text(all, metadataCodec, "none"); strings.ToLower(codec) {
	case "none":
	case "gzip":
		ending = ".gz.metadata.json"
	default:
		return "", fault.New(fault.IllegalArgument, "Invalid codec name: %s", codec)
	}
	folder := withoutSlash(base) + "/metadata"
	if path := properties.Text(all, metadataPath, ""); path != "" {
		folder = withoutSlash(path)
	}
	return fmt.Sprintf("%s/%05d-%s%s", folder, versionOf(previous)+1, uuid, ending), nil
}

// versionOf returns the number in a metadata file's name, or -1 when it has none.
func versionOf(location string) int {
	name := location[strings.LastIndexByte(location, '/')+1:]
	digits, _, found := strings.Cut(name, "-")
	if !found {
		return -1
	}
	version, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || version < 0 {
		return -1
	}
	return int(version)
}

// withoutSlash removes trailing slashes, except those that end a URI's scheme.
func withoutSlash(path string) string {
	for strings.HasSuffix(path, "/") && !strings.HasSuffix(path, "://") {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// isGzipName tells whether a metadata file's name promises gzip, in either of the two spellings in use.
func isGzipName(location string) bool {
	return strings.HasSuffix(location, ".gz.metadata.json") || strings.HasSuffix(location, ".metadata.json.gz")
}
