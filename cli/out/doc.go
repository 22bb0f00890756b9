// Package out prints the results of commands. A command describes its output once: as a Table, which has rows, or as a
// Record, which has the fields of one object. On a terminal, the output is a page. In a pipe, it is tab-separated
// lines. With --json, it is JSON. A Failure is an error in the form that all commands print.
//
// The package cleans text from files: it removes control characters in pipes and on terminals, and escapes them in
// JSON. Text for Stream.Print must already be clean.
package out
