package demo

import "time"

// document is one archived session document of spec 000: all of its thirteen sections.
type document struct {
	project int
	age     time.Duration
	status  string
	tags    string
	branch  string
	text    string
}

// documents are those of the projects, the oldest of each first.
func documents() []document {
	const day = 24 * time.Hour
	return []document{
		{0, 9*day + 3*time.Hour, "completed", "auth, research", "main", tokensResearch},
		{0, 3*day + 5*time.Hour, "completed", "auth, clock", "fix/token-race", tokensLeeway},
		{0, 20 * time.Hour, "in-progress", "auth, tokens, clock", "fix/token-race", tokensGuests},
		{1, 27*day + time.Hour, "completed", "archive, decision", "archive", tidesArchive},
		{2, 6 * day, "blocked", "import, catalogue", "import", booksCards},
	}
}

const tokensResearch = `
## Session Summary

Two verifiers, one of them wrong.
Member tokens and guest tokens are checked in two places, and only one of them knows about time zones.

## Accomplishments

- Found both verifiers and every caller
- Wrote down what each of them compares

## Key Decisions & Patterns

- One clock, passed in by the caller; nothing below ~main~ asks for the time

## Clarifications & Decisions

| Question | Decision |
| --- | --- |
| May a token be used one second late? | Yes, up to the leeway |
| Who owns the hosts' clocks? | The harbour office, on weekdays |

## Failed Approaches

- None, this was reading only

## Git Context

- Branch: ~main~
- Commits made: none

## Current State

Nothing was changed. The failing case is known: 23:59:59 UTC, checked two seconds later.

## Remaining Todos

- [x] HIGH: List every caller of ~Check~
- [ ] HIGH: Agree on a leeway

## Next Steps

1. Ask for the leeway
2. Write the failing test first

## Key Files

- ~src/auth/jwt.go~
- ~src/auth/guest.go~

## Environment Notes

- Two hosts, their clocks up to 4 s apart

## Code Context

~~~go
if claims.Exp < now.Truncate(day).Unix() {
~~~

## Context & Notes

The complaint came from three guests in one night. None of them was wrong.
`

const tokensLeeway = `
## Session Summary

Leeway is agreed, skew is tested.
30 seconds, in one constant, with a test on both sides of midnight.

## Accomplishments

- **Failing test first**: ~TestRefreshAcrossMidnight~
- ~leeway~ of 30 s, agreed with whoever owns the hosts
- Skew of up to 29 s passes, 31 s does not

## Key Decisions & Patterns

- The leeway is a constant and no setting: a setting would differ between the two hosts

## Clarifications & Decisions

- Refresh tokens get the same leeway as access tokens

## Failed Approaches

- A sliding window: one more state, and the race stays, only smaller

## Git Context

- Branch: ~fix/token-race~
- Commits made: 2
  - ~8c1f02e~ auth: test a refresh across midnight
  - ~44d9b7a~ auth: give clocks 30 seconds

## Current State

Member tokens are fixed. Guest tokens still compare days.

## Remaining Todos

- [x] HIGH: Agree on a leeway
- [ ] HIGH: Give guest tokens the shared check
- [ ] LOW: Log the skew of each host once a day

## Next Steps

1. Guest tokens
2. Then the admin console

## Key Files

- ~src/auth/jwt.go~
- ~src/auth/jwt_test.go~

## Environment Notes

- Go 1.26, ~go test -race ./...~ takes 40 s

## Code Context

~~~go
// leeway is how many seconds two clocks may differ.
const leeway = 30
~~~

## Context & Notes

31 s is refused on purpose: a clock that far off has other problems.
`

const tokensGuests = `
## Session Summary

Guest tokens join the shared clock.
Member tokens are fixed; guest tokens follow the same path, but still have their own issuer.

## Accomplishments

- Moved the clock into its own file
- Found three copies of the comparison: guest, admin, export job
- ~Claims.Expired~ is the one place that knows about the leeway

## Key Decisions & Patterns

- ~Expired~ is a method of the claims, so that nobody needs the raw number
- Time comes in as a parameter, in UTC

## Clarifications & Decisions

- The export job may stay as it is until its token format changes

## Failed Approaches

- Wrapping the old ~Check~: the day was already lost inside it

## Git Context

- Branch: ~fix/token-race~
- Commits made: 3
- Uncommitted: ~src/auth/guest.go~

## Current State

| token | checked by | state |
| --- | --- | --- |
| member | ~Claims.Expired~ | done |
| guest | its own copy | next |
| admin | compares days | open |

## Remaining Todos

- [ ] HIGH: The admin console still compares days
- [ ] MEDIUM: Delete the ~sameDay~ helper
- [ ] MEDIUM: Log the skew of each host once a day
- [x] HIGH: Move the clock into its own file

## Next Steps

1. Give guest tokens the shared check
2. Then the admin console, with its own test

## Key Files

- ~src/auth/claims.go~ (new)
- ~src/auth/guest.go~
- ~src/admin/session.go~

## Environment Notes

- The staging host runs 2 s behind: useful, leave it

## Code Context

~~~go
func (c *Claims) Expired(now time.Time) bool { return c.Exp+leeway < now.UTC().Unix() }
~~~

## Context & Notes

Nobody has complained since Monday.
`

const tidesArchive = `
## Session Summary

The archive is a SQLite file for each year.

## Accomplishments

- Decision 7 is written, with what would change it
- One year was imported as a trial: 365 days, 525,600 readings, 81 MB

## Key Decisions & Patterns

- A year is a file: it can be copied, signed and put on a shelf
- Key ~(harbour, at)~, without a row id

## Clarifications & Decisions

- Ten readers at most, one writer, never two machines

## Failed Approaches

- One file for all years: a backup took eleven minutes

## Git Context

- Branch: ~archive~
- Commits made: 1

## Current State

The trial year answers every query of the almanac in under 20 ms.

## Remaining Todos

- [ ] MEDIUM: Import the other 39 years
- [ ] LOW: Mail the answer of ~PRAGMA integrity_check~ once a month

## Next Steps

1. Import 1986 to 2024 over a weekend
2. Let the almanac read from it

## Key Files

- ~docs/decisions/0007-archive.md~

## Environment Notes

- SQLite 3.50

## Code Context

~~~sql
CREATE TABLE reading (harbour TEXT, at INTEGER, metres REAL, PRIMARY KEY (harbour, at)) WITHOUT ROWID;
~~~

## Context & Notes

The harbour office likes that a year fits on a stick.
`

const booksCards = `
## Session Summary

4,103 of 4,120 cards are in.
The other 17 have no title, and somebody has to look at the shelf.

## Accomplishments

- Eleven CSV files read, three of them with semicolons
- Duplicates found by shelf and year: none

## Key Decisions & Patterns

- The separator is read from the first line of each file

## Clarifications & Decisions

- A card without a title is not imported, it is listed

## Failed Approaches

- Guessing titles from the author: four of five were wrong

## Git Context

- Branch: ~import~
- Commits made: 1

## Current State

Blocked: somebody has to look at the shelf.

## Remaining Todos

- [ ] BLOCKED: The 17 cards in ~attic/untitled.txt~
- [ ] LOW: Throw the boxes away, but not before

## Next Steps

1. Go to shelf F with the list

## Key Files

- ~bin/import.ts~
- ~attic/untitled.txt~

## Environment Notes

- The attic has no network

## Code Context

~~~ts
const separator = (line: string) => (line.includes(";") ? ";" : ",");
~~~

## Context & Notes

Card 2,881 is a shopping list.
`
