// Package out is how a command prints. A command describes its output once, as a Table of rows or as a Record of
// fields, and out draws it in a terminal, writes one row a line with tabs between into a pipe, and prints JSON with
// --json. What went wrong is a Failure, in the same form for every command.
//
// Foreign text is cleaned here: values in a pipe and cells in a terminal lose what a terminal would act on, and JSON
// escapes it. Whatever is given to Stream.Print directly must be clean already.
package out
