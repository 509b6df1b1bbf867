package catalog

import (
	"net/url"
	"strings"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
)

// locationFor chooses where a new table or view lives: below the property
// "location" of its namespace or else in the warehouse, in a folder of its own
// that no other entry had before or gets later, whatever is renamed or dropped.
func (c *Catalog) locationFor(id identifier, n *database.Namespace) string {
	base := strings.TrimRight(n.Properties["location"], "/")
	if base == "" {
		base = c.config.Warehouse
		for _, level := range id.namespace {
			base += "/" + segment(level)
		}
	}
	return base + "/" + segment(id.name) + "-" + c.newUUID()
}

// allowed refuses what is to live outside of the locations that are configured.
// Its files there would be refused too, but not all are the server's.
func (c *Catalog) allowed(location string) error {
	if err := c.files.Check(location); err != nil {
		return fault.New(fault.Invalid, "Cannot use location: %w", err)
	}
	return nil
}

// longestSegment keeps a folder's name, with the uuid behind it, within what file
// systems take.
const longestSegment = 200

// segment writes a name so that it is one folder on every file system and in
// every object store. It need not be unique.
func segment(name string) string {
	name = url.PathEscape(name)
	name = strings.ReplaceAll(name, "%", "_")
	if strings.HasPrefix(name, ".") {
		name = "_" + name
	}
	if len(name) > longestSegment {
		name = name[:longestSegment]
	}
	return name
}
