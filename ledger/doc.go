// Package ledger finds the ledger of a project (spec 002). A ledger consists of the files that survive a context
// wipe. The package finds the root of the project and the .loa.config.yaml. It checks the path identifiers that
// point into the code. It reads and writes these files and loses no byte.
//
// Each subpackage handles one part: notes (NOTES.md), beads (.beads), trajectory (the log of agents). Other
// subpackages, such as recovery, combine these parts. The package reads neither the environment nor the clock.
package ledger
