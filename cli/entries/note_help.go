package entries

import "github.com/continuo-tui/continuo/ledger/notes"

const helpNote = `
continuo note COMMAND writes into the ledger of this project: into NOTES.md, or to a bead.

  decision TITLE            what was decided, why, and what in the code backs it
  question TEXT             something that is open
  next TEXT                 what is to be done next
  handoff                   a session that ends, and where the next one goes on
  scenario NAME             a way to test, and what is expected

An entry goes into its own section, as the entries there look; every other byte of NOTES.md stays. continuo undo takes it
out again, whatever else was written since. With --json each prints the plan, and what was done: action, done, note (kind,
root, path, bead, section, newSection, line, text, at), problems.

Exit: 1 when you said no, or something is missing or not so · 2 when it could not be done, or nobody could be asked.
`

// helpNoteFlags are what every command of note takes.
const helpNoteFlags = `
  --bead ID                 as a comment of that bead, through br; without br it goes to NOTES.md, and names the bead
  --project PATH            another project
  --dry-run                 the plan, and nothing else
  --yes                     do it without a question
  --json                    the plan, and what was done, as one object

A text of - is read from a pipe. continuo undo takes out of NOTES.md what was written; a comment of br stays.

Exit: 1 when you said no, or something is missing or not so · 2 when it could not be done, or nobody could be asked.
`

const helpNoteDecision = `
continuo note decision TITLE writes a decision into the Decision Log of NOTES.md.

  --rationale TEXT          why
  --evidence PLACE          what in the code backs it, once or more
  --decision TEXT           what was decided, where the title does not say all of it
  --scenario TEXT           a way to test it, once or more
  --no-evidence             no code backs it

A PLACE is PATH:LINE or PATH:FROM-TO with its quote behind it: src/a.go:12 | func Expired(. Without one the line itself is
quoted. It is looked up in the code, below the root or this folder, and what is not there word for word is refused.
` + helpNoteFlags

const helpNoteQuestion = `
continuo note question TEXT writes an open question into the Pending Questions of NOTES.md.
` + helpNoteFlags

const helpNoteNext = `
continuo note next TEXT writes a next step into the Active Sub-Goals of NOTES.md.
` + helpNoteFlags

const helpNoteHandoff = `
continuo note handoff writes into the Session Continuity of NOTES.md that a session ends.

  --session ID              which
  --trajectory REF          where its log is: impl-11-21.jsonl:span-abc
  --ratio RATIO             of its claims, how many are grounded: 0.97; what is below that of the config is refused
  --notes-ref REF           lines of NOTES.md; else those of Session Continuity
` + helpNoteFlags

const helpNoteScenario = `
continuo note scenario NAME writes a way to test into the Test Scenarios of NOTES.md.

  --type TYPE               happy_path, edge_case or error_handling
  --expected TEXT           what is expected
` + helpNoteFlags

// helpOfNote is the help of a command of note, that of note itself for "".
func helpOfNote(kind notes.EntryKind) string {
	switch kind {
	case notes.EntryDecision:
		return helpNoteDecision
	case notes.EntryQuestion:
		return helpNoteQuestion
	case notes.EntryNext:
		return helpNoteNext
	case notes.EntryHandoff:
		return helpNoteHandoff
	case notes.EntryScenario:
		return helpNoteScenario
	}
	return ""
}
