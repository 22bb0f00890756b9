// Package ledger finds the ledger of a project (spec 002). A ledger consists of the files that survive a context
// wipe, such as NOTES.md. The package finds the root of the project, reads its .loa.config.yaml, and checks code
// references such as src/a.go:45. It also has the functions that read and write the files of a ledger.
//
// Three subpackages handle one store each: notes (NOTES.md), beads (.beads) and trajectory (the log of agents). Other
// subpackages, such as recovery, combine the stores. The package reads neither the environment nor the clock.
package ledger
