// Package ledger knows where a project keeps what survives a context wipe (spec 002): its root, .loa.config.yaml, the
// path identifiers that lead into its code, and how a file of it is read and written without losing a byte.
//
// The packages below it each know one part: notes (NOTES.md), beads (.beads), and recovery, which joins the two to what
// is read first after /clear. The package reads neither the environment nor the clock.
package ledger
