package notes

// Template returns a new NOTES.md without entries. Its sections are from self-heal-state.sh and from spec 002,
// section Required Structure.
func Template() []byte {
	return []byte(`# Agent working memory

> Facts that must survive a context wipe. Agents add entries; your own text stays.

## Active Sub-Goals

<!-- Current work -->

## Discovered Technical Debt

<!-- Problems to fix later -->

## Blockers & Dependencies

<!-- Reasons why work has stopped -->

## Session Continuity

<!-- CRITICAL: Load this section FIRST after /clear (~100 tokens) -->

| Timestamp | Agent | Summary |
|-----------|-------|---------|

### Active Context

- **Current Bead**:
- **Last Checkpoint**:
- **Reasoning State**:

### Lightweight Identifiers

<!-- ${PROJECT_ROOT}/path:line only; read the content when it is needed -->

| Identifier | Purpose | Last Verified |
|------------|---------|---------------|

### Pending Questions

<!-- Questions for the next sessions -->

## Decision Log

<!-- Decisions with their rationale and evidence in the code -->
`)
}
