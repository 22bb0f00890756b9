// Package hook implements the hooks that Claude Code runs when a session starts, ends or is compacted (spec 000).
// Handle handles an event, Runs records each run, and Discard implements the script of /discard-backup.
//
// A hook acts in a project with .claude/memory, and prints the lines of the spec. It never panics, and its errors are
// in its Run. Its waits for stdin, locks and disks are limited. A Run has no text of a conversation and no
// environment variables.
//
// In has the environment, the clock and stdin. Package backup writes the files in .claude/memory.
package hook
