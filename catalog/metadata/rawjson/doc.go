// Package rawjson edits JSON without understanding all of it.
//
// Table and view metadata outlives the software that reads it. A newer engine writes fields that this catalog has never
// heard of, and a commit made here must hand them on, to the byte. Decoding into structs and encoding again cannot do
// that, so the metadata engine works on the text: an [Object] knows where each of its members begins and ends, members
// that nobody touches are copied as they came (numbers beyond 2^53, escapes, spacing and all), and only what a commit
// changes is written anew.
//
// The splitting is done by a small scanner that trusts its input to be JSON but not that it is whole: on text that is
// not JSON it returns an error or a wrong split, never a panic or an endless loop. Callers check text from outside with
// [Parse], which validates first; [Split] skips the check and is for text that was validated before, such as a metadata
// file this catalog wrote. That makes the common reads cheap: trimming a table of 5,000 snapshots costs one pass.
//
// Nothing here copies. An [Object] and its members share the memory of the text they came from, which must not be
// changed afterwards.
package rawjson
