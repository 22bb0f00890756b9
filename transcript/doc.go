// Package transcript reads one Claude Code conversation: bytes → records → messages → threads.
//
// A transcript is a JSONL file that the client only ever appends to (facts of client 2.1.330 and of 97
// older versions). Four steps, each usable by itself:
//
//	read    Reader      bytes of any length → lines; resumable at a byte offset; never holds a huge line
//	scan    Scan        one line → Envelope, without decoding it: where things lie, not what they say
//	thread  Outline     all lines of a file → compact records, messages, threads; one pass
//	decode  Transcript  a message → blocks, through encoding/json, only for what is shown
//
// Clean makes foreign text safe for a terminal.
//
// The package knows no directory and no other package of this module. Nothing in it writes.
// Two rules hold everywhere: a bad line costs that line and never the file, and what was read is
// either shown or counted.
package transcript
