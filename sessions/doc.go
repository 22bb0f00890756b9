// Package sessions finds the Claude Code conversations on this machine and returns their names, projects, live clients
// and states.
//
// A Session is keyed by the file it was found in. Discovery has two passes: Quick reads the head and tail of every
// file, Exact scans it whole; both return the same Session, the second with every figure. The name of a project
// directory is never decoded, sessions-index.json is ignored, and sessions are ordered by their last real message,
// never by modification time.
//
// This package doesn't write files.
package sessions
