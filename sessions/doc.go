// Package sessions finds the Claude Code conversations on this machine and returns their names, projects, live clients
// and states.
//
// The key of a Session is the path of its file. Discovery has two passes: Find reads the head and tail of every file,
// and Set.Exact scans whole files. Both passes return the same sessions, but only the second pass sets all figures. The
// name of a project directory is never decoded, and sessions-index.json is ignored. Sessions are ordered by their last
// real message, not by modification time.
//
// This package doesn't write files.
package sessions
