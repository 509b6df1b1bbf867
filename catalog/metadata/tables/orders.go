package tables

import (
	"encoding/json"

	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// addOrder adds a sort order under the next free id, or finds the one that sorts in the same way. Id 0 is for the order
// that does not sort.
func (s *state) addOrder(text rawjson.Value) error {
	order, err := parseOrder(text)
	if err != nil {
		return err
	}
	schema, err := s.parsedSchema()
	if err != nil {
		return err
	}
	if err := order.parsed.CheckCompatibility(schema); err != nil {
		return fault.New(fault.Invalid, "Invalid sort order: %w", err)
	}
	id, found, err := s.orderID(order)
	if err != nil {
		return err
	}
	s.commit.lastOrder = &id
	if found {
		return nil
	}
	order.object.Set("order-id", rawjson.OfInt(id))
	s.orders.Add(id, order.object.Text())
	s.commit.changed = true
	return nil
}

// orderID returns the id of an order with the same fields, or else one more than the highest.
func (s *state) orderID(order *sortOrder) (id int, found bool, err error) {
	if order.parsed.IsUnsorted() {
		return 0, s.orders.Has(0), nil
	}
	id = 1
	for _, item := range s.orders.Items {
		other, err := parseOrder(item.Text)
		if err != nil {
			return 0, false, err
		}
		if rawjson.Same(order.shape, other.shape) {
			return item.ID, true, nil
		}
		id = max(id, item.ID+1)
	}
	return id, false, nil
}

func (s *state) setDefaultOrder(id int) error {
	if id == lastAdded {
		if s.commit.lastOrder == nil {
			return fault.New(fault.Invalid, "Cannot set last added sort order: no sort order has been added")
		}
		id = *s.commit.lastOrder
	}
	if !s.orders.Has(id) {
		return fault.New(fault.IllegalArgument, "Cannot set default sort order to unknown sort order: %d", id)
	}
	if id != s.defaultOrder {
		s.defaultOrder = id
		s.commit.changed = true
	}
	return nil
}

// sortOrder is a sort order that is being looked at or made.
type sortOrder struct {
	object *rawjson.Object
	parsed table.UnboundSortOrder
	// shape is all of the order but its id.
	shape rawjson.Node
}

// parseOrder reads a sort order that may be not bound yet. Its id may be missing, since the catalog gives one anyway.
func parseOrder(text rawjson.Value) (*sortOrder, error) {
	object, err := rawjson.Split(text)
	if err != nil {
		return nil, fault.New(fault.Invalid, "Invalid sort order: %w", err)
	}
	if object.Get("order-id") == nil {
		fields, _ := rawjson.AsArray(object.Get("fields"))
		object.Set("order-id", rawjson.OfInt(min(len(fields), 1)))
	}
	order := &sortOrder{object: object}
	if err := json.Unmarshal(object.Text(), &order.parsed); err != nil {
		return nil, fault.New(fault.Invalid, "Invalid sort order: %w", err)
	}
	bare := object.Clone()
	bare.Delete("order-id")
	if order.shape, err = rawjson.Decode(bare.Text()); err != nil {
		return nil, fault.New(fault.Invalid, "Invalid sort order: %w", err)
	}
	return order, nil
}
