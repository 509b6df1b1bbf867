// Package files reads, writes and deletes the files that tables and views are made of, through iceberg-go's file IO.
//
// A location is a text that some client chose, and is used as it is: a URI with one slash (file:/warehouse/ns/t), with
// three, a plain absolute path, or an object store's URI. A [Store] finds the file IO for each, with the catalog's
// configuration properties (s3.endpoint and so on, iceberg-go's names). Object stores work when the program has linked
// their IO, by importing github.com/apache/iceberg-go/io/gocloud or one of its parts; this package does not, so that
// whoever imports it does not compile a cloud SDK.
//
// Metadata files are never changed. [Store.Write] refuses to overwrite, and on a local disk a file appears under its
// name only when all of it is on the disk. [Store.Read] undoes gzip and zstd, by what the bytes say and not by the name,
// since writers disagree on names.
package files
