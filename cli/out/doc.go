// Package out prints the results of commands. A command describes its output once: as a Table of rows, or as a Record
// of the fields of one thing. In a terminal it is formatted as a page, in a pipe as tab-separated lines, and with
// --json as JSON. An error is a Failure, in the same form for every command.
//
// Foreign text is cleaned here: values in a pipe and cells in a terminal lose their control characters, and JSON
// escapes them. A text for Stream.Print must be clean already.
package out
