// Package ledger finds the ledger of a project (spec 002): the files that survive a context wipe. It finds the root of
// the project and its .loa.config.yaml, and it checks the path identifiers that point into the code. It reads and
// writes these files without losing a byte.
//
// Each subpackage handles one part: notes (NOTES.md), beads (.beads), trajectory (the log of agents); others, such as
// recovery, combine them. The package reads neither the environment nor the clock.
package ledger
