// Package backup keeps what the hooks of spec 000 leave in a project: raw backups of transcripts, the markers that call
// a backup pending, and the documents of the project's memory.
//
// Find, Pending and Stock look in the four places that versions of the hooks have used:
//
//	.claude/memory/raw/*.jsonl           backups   (.claude/memory/sessions/raw in the spec's flow B)
//	.claude/memory/.pending-backup*      markers
//	.claude/memory/session-*.md          documents (.claude/memory/sessions and planning/sessions before and after)
//	.claude/memory/active-context.md     and project-memory.md
//
// A recovery of the ledger (spec 002) that the next start of a session prints once is .claude/memory/.staged-recovery.
//
// They write nothing, and open nothing outside those directories: a directory may itself be a link, but a link inside
// it that leaves it is a problem, not a file. Of each file at most 64 KB are read. Names, targets and error texts are
// foreign bytes as they were found, so clean them before they reach a terminal; every other text is one clean line.
//
// What is written is written by a Memory, below .claude/memory: Save makes a backup, and what comes after it is
// discarded, restored and pruned through the trash there. Each file gets its name when it is whole and on the disk, or
// one whole line with one write, so that whoever is killed leaves the old state or the new one, and a file in the
// making at most, which is swept later. git sees none of it.
//
// The package reads neither the environment nor the clock.
package backup
