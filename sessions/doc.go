// Package sessions finds the Claude Code sessions on this machine, and reads their names, projects, running clients
// and states.
//
// The key of a Session is the path of its file. Find reads the head and tail of every file. Set.Exact then scans
// whole files and sets all figures of the same sessions. The name of a directory in projects/ doesn't give the path
// of a project, and sessions-index.json is ignored. Sessions are ordered by their last real message, not by
// modification time.
//
// This package doesn't write files.
package sessions
