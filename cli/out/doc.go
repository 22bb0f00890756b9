// Package out prints the results of commands. A command describes its output once, as a Table of rows or as a
// Record with the fields of one thing. On a terminal, the output is a page. In a pipe, it is tab-separated lines,
// and with --json, it is JSON. An error is a Failure, which has the same form for every command.
//
// This package cleans text from files. In the values for a pipe and in the cells for a terminal, it removes
// control characters. In JSON, it escapes them. Text for Stream.Print must already be clean.
package out
