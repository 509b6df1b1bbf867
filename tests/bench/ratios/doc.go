// Command ratios runs the benchmarks from which the project's ratios come and
// makes one table of them in Markdown:
//
//	go run ./tests/bench/ratios
//
// Both sides of every ratio are measured in turns by one benchmark. The raw
// output, which benchstat reads, is kept in bin/bench/raw.txt and the table in
// bin/bench/table.md; -write puts the table also between the two markers of a
// document, and -from makes it again from a raw file.
package main
