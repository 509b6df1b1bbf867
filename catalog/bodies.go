package catalog

import (
	"fmt"

	"github.com/onceberg/onceberg/catalog/metadata/commits"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

// What requests name in their bodies is read by these functions alone, by
// Authorize first and by the handler afterwards. Decoders disagree about members
// that are there twice or in another case; one decoder does not.

// arguments are the members of a body; what is its name in errors.
func arguments(what string, body []byte) (*commits.Args, error) {
	object, err := rawjson.Parse(body)
	if err != nil {
		return nil, fault.New(fault.Invalid, "Invalid %s: %w", what, err)
	}
	return commits.NewArgs(what, object), nil
}

// namespaceIn reads the name of a namespace to create.
func namespaceIn(body []byte) (levels, error) {
	a, err := arguments("create namespace request", body)
	if err != nil {
		return nil, err
	}
	name := levels(a.StringList("namespace"))
	if a.Err() != nil {
		return nil, a.Err()
	}
	if err := name.check(); err != nil {
		return nil, err
	}
	return name, nil
}

// renameIn reads the names that a table or view has and is to have.
func renameIn(body []byte) (from, to identifier, err error) {
	a, err := arguments("rename request", body)
	if err != nil {
		return from, to, err
	}
	source, destination := a.Value("source"), a.Value("destination")
	if a.Err() != nil {
		return from, to, a.Err()
	}
	if from, err = identifierIn("/source", source); err != nil {
		return from, to, err
	}
	to, err = identifierIn("/destination", destination)
	return from, to, err
}

// identifierIn reads the name of a table or view; field says where it stands.
func identifierIn(field string, text rawjson.Value) (identifier, error) {
	a, err := arguments("identifier in "+field, text)
	if err != nil {
		return identifier{}, err
	}
	id := identifier{levels(a.StringList("namespace")), a.String("name")}
	if a.Err() != nil {
		return identifier{}, a.Err()
	}
	if err := id.check(); err != nil {
		err.Message = "Field " + field + ": " + err.Message
		return identifier{}, err
	}
	return id, nil
}

// registration is a request to add what a metadata file describes.
type registration struct {
	name, location string
	overwrite      bool
}

func registrationIn(body []byte) (registration, error) {
	a, err := arguments("register request", body)
	if err != nil {
		return registration{}, err
	}
	return registration{a.String("name"), a.String("metadata-location"), a.Bool("overwrite")}, a.Err()
}

// tableChange is what a transaction does to one table.
type tableChange struct {
	id     identifier
	commit *tables.Commit
}

// changesIn reads the whole of a transaction before anything is done.
func changesIn(body []byte) ([]tableChange, error) {
	a, err := arguments("transaction", body)
	if err != nil {
		return nil, err
	}
	texts := commits.Read(a, "table-changes", rawjson.AsArray)
	if a.Err() != nil {
		return nil, a.Err()
	}
	if len(texts) == 0 {
		return nil, badRequest("Field /table-changes must not be empty")
	}
	changes := make([]tableChange, len(texts))
	for i, text := range texts {
		field := fmt.Sprintf("/table-changes/%d/identifier", i)
		name := rawjson.Member(text, "identifier")
		if name == nil {
			return nil, badRequest("Field %s is missing", field)
		}
		if changes[i].id, err = identifierIn(field, name); err != nil {
			return nil, err
		}
		if changes[i].commit, err = tables.ParseCommit(text); err != nil {
			return nil, err
		}
	}
	return changes, nil
}
