// Package hook implements the hooks that Claude Code runs when a session starts, ends or is compacted (spec 000).
// Handle handles an event, Runs records each run, and Discard implements the script of /discard-backup.
//
// A hook acts only in a project that has .claude/memory. It prints only the lines of the spec. It never returns an
// error and never panics. It waits for stdin, locks and disks only for a limited time. It records problems in the Run.
// A Run contains no text of a conversation and no environment variables.
//
// The type In has the environment, the clock and stdin. backup.Memory makes the changes to the memory.
package hook
