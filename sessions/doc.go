// Package sessions finds the Claude Code sessions on this machine, and reads their names, projects, running clients and
// states.
//
// The key of a Session is the path of its file. Discovery has two passes: Find reads the head and tail of every file,
// and Set.Exact scans whole files. Both passes return the same sessions, but only the second pass sets all figures. The
// path of a project isn't derived from the name of its directory in projects/, and sessions-index.json is ignored.
// Sessions are ordered by their last real message, not by modification time.
//
// This package doesn't write files.
package sessions
