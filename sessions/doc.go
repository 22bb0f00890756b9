// Package sessions finds the conversations of Claude Code on this machine: which there are, what each is
// called, where it belongs, whether a client has it open, and what state it is in.
//
// A Session is keyed by the file it was found in. Discovery has two passes: Quick reads the head and tail
// of every file, Exact scans it whole; both give the same Session, the second with every figure.
// The project directory's name is never decoded, sessions-index.json never believed, and the order is
// that of the last real message, never of the modification time.
//
// Nothing in this package writes.
package sessions
