// Package hook is what Claude Code calls when a session starts, ends or is compacted (spec 000): Handle does it, Runs
// notes it, and Discard is the script behind /discard-backup.
//
// A hook acts only in a project that has .claude/memory. It prints nothing but the lines of the spec, has no error and
// no panic, and waits for nothing without a limit: not for stdin, not for a lock, not for a disk. What went wrong is in
// the note of the run, which holds nothing of a conversation or of the environment.
//
// The environment, the clock and stdin come in by In. What is written into the memory goes through backup.Memory.
package hook
