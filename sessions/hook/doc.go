// Package hook implements the hooks that Claude Code runs when a session starts, ends or is compacted (spec 000):
// Handle handles an event, Runs records each run, and Discard is the script of /discard-backup.
//
// A hook acts only in a project that has .claude/memory. It prints only the lines of the spec, and never returns an
// error or panics. It waits for stdin, locks and disks only for a limited time. Problems are recorded in the Run, which
// contains no text of a conversation or of the environment.
//
// The environment, the clock and stdin are in In. Changes to the memory are made by backup.Memory.
package hook
