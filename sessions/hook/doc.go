// Package hook implements the hooks that Claude Code runs when a session starts, ends or is compacted (spec 000).
// Handle handles an event, Runs records each run, and Discard implements the script of /discard-backup.
//
// A hook acts only in a project with .claude/memory, and prints only the lines of the spec. It never panics and returns
// no error: errors are in its Run. It waits only for a limited time for stdin, locks and disks. A Run contains no text
// of a conversation and no environment variables.
//
// The type In has the environment, the clock and stdin. Package backup writes the files in .claude/memory.
package hook
