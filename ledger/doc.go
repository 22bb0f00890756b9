// Package ledger finds the ledger of a project (spec 002): the files that survive a context wipe, such as NOTES.md.
// It finds the root of the project, reads its .loa.config.yaml, and checks code references such as src/a.go:45. It
// also reads and writes the files of a ledger.
//
// The subpackages notes (NOTES.md), beads (.beads) and trajectory (the log of agents) read one store each. Other
// subpackages combine the stores. The package doesn't read the environment or the clock.
package ledger
