// Package ledger finds the ledger of a project (spec 002), the files that survive a context wipe: its root,
// .loa.config.yaml, the path identifiers that point into its code. It reads and writes these files without losing a
// byte.
//
// Each package below it has one part: notes (NOTES.md), beads (.beads), trajectory (the log of agents), and those that
// combine them, such as recovery. The package reads neither the environment nor the clock.
package ledger
