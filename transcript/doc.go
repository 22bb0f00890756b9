// Package transcript reads one Claude Code conversation: bytes → records → messages → threads.
//
// A transcript is a JSONL file that the client only appends to (checked for client 2.1.330 and 97
// older versions). Four steps, each usable by itself:
//
//	read    Reader      bytes of any length → lines; resumable at a byte offset; never holds a huge line
//	scan    Scan        one line → Envelope: the offsets of its parts, without decoding them
//	thread  Outline     all lines of a file → compact records, messages, threads; one pass
//	decode  Transcript  a message → blocks, through encoding/json, only for messages that are shown
//
// Clean makes untrusted text safe for a terminal.
//
// The package imports no other package of this module, knows no fixed paths and never writes. A bad
// line never hides the rest of the file, and every record is either shown or counted.
package transcript
