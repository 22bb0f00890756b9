// Package backup finds what the hooks of spec 000 left in a project: raw backups of transcripts, the markers
// that call a backup pending, and the documents of the project's memory.
//
// Everything is looked for in the four places that versions of the hooks have used:
//
//	.claude/memory/raw/*.jsonl           backups   (.claude/memory/sessions/raw in the spec's flow B)
//	.claude/memory/.pending-backup*      markers
//	.claude/memory/session-*.md          documents (.claude/memory/sessions and planning/sessions before and after)
//	.claude/memory/active-context.md     and project-memory.md
//
// Nothing is written, and nothing outside those directories is opened: a directory may itself be a link, but a
// link inside it that leaves it is a problem, not a file. Of each file at most 64 KB are read. Names, targets and
// error texts are foreign bytes as they were found, so clean them before they reach a terminal; every other text
// is one clean line.
//
// The package reads neither the environment nor the clock.
package backup
