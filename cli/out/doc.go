// Package out prints the results of commands. A command describes its output once, as a Table of rows or as a
// Record of fields. The output is a page on a terminal, tab-separated lines in a pipe, or JSON with --json. A
// Failure is an error for the user. The package removes control characters from texts in pipes and on terminals,
// and escapes them in JSON. Text for Stream.Print must already be clean.
package out
