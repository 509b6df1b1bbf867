// Package schemas knows what tables and views both need to know about an Iceberg schema.
//
// A schema is kept as text ([rawjson.Value]), because a field may carry attributes that only its writer understands and
// because a default value may be an integer that a float64 cannot hold. iceberg-go reads the text to say whether it is
// a schema at all; what it has no words for, or would lose when writing, is done here on the text:
//
//   - [Number] gives the columns of a new table fresh ids, struct by struct, without losing an attribute;
//   - [Same] compares two schemas by their meaning, unknown attributes and exact numbers included (iceberg-go compares
//     defaults as floats and knows no other attributes);
//   - [Fit] tells whether a format version can hold a schema, in the words the compatibility kits look for.
package schemas
