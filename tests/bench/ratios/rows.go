package main

import (
	"fmt"
	"slices"
)

// section is some rows under a heading.
type section struct {
	heading string
	rows    []row
}

// row is a line of the table: a metric of a benchmark, and others to print
// beside it.
type row struct {
	bench, name, unit string
	goal              goal
	beside            []string
}

// sections are the whole table, in its order.
func sections() []section {
	return []section{
		{"Generator", of("Generate", row{
			name: "generation / oapi-codegen alone on the repaired document", unit: "ratio", goal: atMost(1.5),
			beside: []string{"ms-ours", "ms-alone"},
		})},
		{"Guard in front of an empty handler, in-memory store", of("GuardRatios", guardRows...)},
		{"PostgreSQL, 16 clients", of("Key/postgres/clients=16", append(goals(keyRows), preparedRow)...)},
		{"MariaDB, 16 clients", of("Key/mariadb/clients=16", keyRows...)},
		{"SQLite, 16 clients", of("Key/sqlite/clients=16", keyRows...)},
		{"PostgreSQL, by clients", growth("Clients/clients=%d", axisRows, 1, 4, 16, 64)},
		{"PostgreSQL, 16 clients, by nodes", growth("Nodes/nodes=%d", axisRows, 1, 3)},
		{"PostgreSQL, 16 clients, by records in the table", growth("Records/records=%d", axisRows, 10_000, 1_000_000, 10_000_000)},
		{"PostgreSQL, 4 clients, by KiB of the answer", growth("Bodies/KiB=%d", bodyRows, 1, 32, 512, 4096)},
		{"Purge on PostgreSQL beside 200 keyed requests a second", of("Purge/postgres", purgeRows...)},
		{"Client, over loopback", of("Loopback", row{
			name: "through the Transport / without it", unit: "safe/bare", beside: []string{"safe-ns/op", "bare-ns/op"},
		})},
	}
}

// of sets the benchmark of rows.
func of(bench string, rows ...row) []row {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].bench = bench
	}
	return rows
}

// growth follows each row along the points of an axis.
func growth(bench string, rows []row, points ...int) []row {
	var all []row
	for _, r := range rows {
		for _, n := range points {
			at := of(fmt.Sprintf(bench, n), r)[0]
			at.name += ", " + grouped(float64(n))
			all = append(all, at)
		}
	}
	return all
}

// goals are the rows of PostgreSQL, which has some.
func goals(rows []row) []row {
	rows = slices.Clone(rows)
	for i := range rows {
		switch rows[i].unit {
		case "transactional/none":
			rows[i].goal = atLeast(0.65)
		case "two-phase/none":
			rows[i].goal = atLeast(0.42)
		case "replay/select":
			rows[i].goal = atLeast(0.9)
		}
	}
	return rows
}

var guardRows = []row{
	{name: "first execution − no guard, µs", unit: "first-bare-µs", goal: under(3.05), beside: []string{"first-µs", "bare-µs"}},
	{name: "the same, allocations", unit: "first-bare-allocs", goal: under(20)},
	{name: "first execution, store full − no guard, µs", unit: "full-bare-µs", goal: under(3.05), beside: []string{"full-µs", "bare-µs"}},
	{name: "the same, allocations", unit: "full-bare-allocs", goal: under(20)},
	{name: "first execution, store that does nothing − no guard, µs", unit: "alone-bare-µs", beside: []string{"alone-µs", "bare-µs"}},
	{name: "replay − no guard, µs", unit: "replay-bare-µs", goal: under(1.65), beside: []string{"replay-µs", "bare-µs"}},
	{name: "the same, allocations", unit: "replay-bare-allocs"},
	{name: "first execution / no guard", unit: "first/bare"},
	{name: "request without a key / no guard", unit: "unkeyed/bare", beside: []string{"unkeyed-µs", "bare-µs"}},
}

var keyRows = []row{
	{name: "transactional / no key", unit: "transactional/none", beside: []string{"transactional-req/s", "none-req/s"}},
	{name: "two-phase / no key", unit: "two-phase/none", beside: []string{"two-phase-req/s", "none-req/s"}},
	{name: "least SQL in one transaction / no key", unit: "plain-transactional/none", beside: []string{"plain-transactional-req/s"}},
	{name: "least SQL in two phases / no key", unit: "plain-two-phase/none", beside: []string{"plain-two-phase-req/s"}},
	{name: "replay / SELECT of the record by bun", unit: "replay/select", beside: []string{"replay-req/s", "select-req/s"}},
}

var preparedRow = row{
	name: "replay / prepared SELECT without bun", unit: "replay/select-prepared",
	beside: []string{"replay-req/s", "select-prepared-req/s"},
}

var axisRows = []row{
	{name: "transactional / no key", unit: "transactional/none", beside: []string{"transactional-req/s", "none-req/s"}},
	{name: "two-phase / no key", unit: "two-phase/none", beside: []string{"two-phase-req/s", "none-req/s"}},
	{name: "replay / no key", unit: "replay/none", beside: []string{"replay-req/s", "none-req/s"}},
}

var bodyRows = []row{
	{name: "body stored / no key", unit: "body/none", beside: []string{"body-req/s", "none-req/s", "kept-B"}},
	{name: "summary stored / no key", unit: "summary/none", beside: []string{"summary-req/s", "none-req/s"}},
	{name: "replay of the body / no key", unit: "replay-body/none", beside: []string{"replay-body-req/s", "none-req/s"}},
	{name: "replay from the summary / no key", unit: "replay-summary/none", beside: []string{"replay-summary-req/s", "none-req/s"}},
}

var purgeRows = []row{
	{name: "p50 beside a purge / alone", unit: "p50-beside/alone", beside: []string{"beside-p50-ms", "alone-p50-ms", "purged/s"}},
	{name: "p99 beside a purge / alone", unit: "p99-beside/alone", beside: []string{"beside-p99-ms", "alone-p99-ms"}},
}
