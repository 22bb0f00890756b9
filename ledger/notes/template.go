package notes

// Template returns a new NOTES.md (spec 002, self-heal-state.sh; fact sheet, "Template it writes"). It has the
// sections of the protocol in their order, and no entries.
func Template() []byte {
	return []byte(`# Agent working memory

> What has to survive a context wipe. Agents write here; what is written by hand stays.

## Active Sub-Goals

<!-- What is being worked on -->

## Discovered Technical Debt

<!-- What was found on the way, and has to be dealt with later -->

## Blockers & Dependencies

<!-- What keeps the work from going on -->

## Session Continuity

<!-- Where the next session goes on, newest first -->

| Timestamp | Agent | Summary |
|-----------|-------|---------|

## Decision Log

<!-- What was decided, why, and what in the code backs it -->
`)
}
