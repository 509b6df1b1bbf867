// Package upstream finds verbatim copies of Apache Iceberg's REST catalog
// specification for tests that run on real input.
//
// The copies are test data and not part of the project, whose own spec folder
// holds the interface facts alone. They are looked for in the folder that
// ONCEBERG_SPEC_DIR names, else in ../shared/spec beside the project. Where there
// is neither, a test that needs them says what it did not check, and fails when
// CI is set: a build server that lost its input must not look green.
package upstream
