package demo

import "strings"

const teahouseExport = `
-- name: DayOfBookings :many
SELECT b.id, b.slot, b.seats, g.name, g.mail
FROM bookings b
JOIN guests g ON lower(g.mail) = lower(b.guest_mail)
WHERE date(b.slot) = ?
ORDER BY b.slot;
`

// export is a session with a list of tasks, a query plan and figures.
func export(t *talk) {
	t.file("store/export.sql", teahouseExport)
	t.prompt("The nightly export takes 40 minutes, and last spring it took two. Nothing was changed, they say.")
	t.answer(append([]block{say("I measure before I look for a culprit.")},
		t.plan("Measure where the time goes", "Make the query use an index", "Guard it with a test")...)...)
	t.answer(t.progress(1, "pending", "in_progress"),
		t.bash("./bin/export --day yesterday --trace", "Trace one day", "open      0.02 s\nquery    38.90 s   412 rows\nwrite     0.11 s\nupload    1.40 s"),
		t.bash("sqlite3 teahouse.db 'explain query plan' < store/export.sql", "Ask for the plan",
			"QUERY PLAN\n|--SCAN b\n|--BLOOM FILTER ON g (mail=?)\n`--SCAN g"))
	t.answer(think("Two scans: lower() on both sides and date() on the slot hide the indexes. 61,000 bookings times 18,000 guests. It grew slowly, so nobody changed anything and it is still slower."),
		say("Nothing was changed, and that is the reason: the query reads **every booking against every guest**, so it grows with the product of both.\n\n1. ~lower()~ on both sides hides the index on ~mail~;\n2. ~date(b.slot)~ hides the one on ~slot~."),
		t.read("store/export.sql"))
	t.answer(t.progress(1, "in_progress", "completed"), t.progress(2, "pending", "in_progress"),
		t.edit("store/export.sql", "JOIN guests g ON lower(g.mail) = lower(b.guest_mail)\nWHERE date(b.slot) = ?",
			"JOIN guests g ON g.mail = b.guest_mail COLLATE NOCASE\nWHERE b.slot >= ?1 AND b.slot < datetime(?1, '+1 day')"),
		t.write("store/migrations/0042_mail_nocase.sql", "CREATE INDEX guests_mail ON guests (mail COLLATE NOCASE);\nDROP INDEX IF EXISTS guests_mail_plain;\n"))
	t.answer(t.bash("./bin/migrate && ./bin/export --day yesterday --trace", "Migrate and trace again",
		"migrated to 0042\nopen      0.02 s\nquery     0.03 s   412 rows\nwrite     0.11 s\nupload    1.38 s"))
	t.answer(t.progress(2, "in_progress", "completed"), t.progress(3, "pending", "in_progress"),
		t.write("store/export_test.go", `
package store

import "testing"

// TestExportUsesIndexes: a scan is what made the export slow, whatever the machine.
func TestExportUsesIndexes(t *testing.T) {
	for _, step := range plan(t, DayOfBookings) {
		if step.Scans() {
			t.Errorf("%s reads the whole table", step)
		}
	}
}
`),
		t.bash("go test ./store", "Run the tests", "ok  \tteahouse/store\t0.214s"), t.progress(3, "in_progress", "completed"))
	t.answer(say(`Same rows, other plan:

| step | before | now |
| --- | ---: | ---: |
| query | 38.90 s | **0.03 s** |
| write | 0.11 s | 0.11 s |
| upload | 1.40 s | 1.38 s |

The test looks at the plan and not at the clock, so it holds on a slow machine too. A year of exports takes nine minutes instead of four hours; *the upload is now the slow part*.`))
	t.done()
}

// archive is a session that weighs two answers.
func archive(t *talk) {
	t.prompt("Postgres or SQLite for the archive of the tide tables? One process writes, at most ten people read, 40 years of data.")
	t.answer(think("One writer, few readers, data that never changes once it is a year old. What speaks against SQLite is backups over the network and access from two machines."),
		t.bash("du -sh archive; ls archive | wc -l", "Look at the size", "3.1G\tarchive\n14610"))
	t.answer(say(`**SQLite**, for this archive.

### Why

- 3.1 GB and one writer is far below its limits
- a year is a file: copy it, sign it, put it on a shelf
- nobody has to run a server in the harbour office

### What would change my mind

| if | then |
| --- | --- |
| two machines must write | Postgres |
| the office wants to query it from a spreadsheet | Postgres, read-only |
| the archive grows beyond 100 GB | partitions, and then Postgres |

### How to go on

1. one table for readings, ~WITHOUT ROWID~, key ~(harbour, at)~
2. a file for each year, attached when it is needed
3. ~PRAGMA integrity_check~ once a month, its answer mailed`))
	t.done()
	t.prompt("Good. Write that down as a decision, with the three conditions.")
	t.answer(t.write("docs/decisions/0007-archive.md", "# 7. The archive is a SQLite file for each year\n\nAccepted. We change our mind when two machines must write, when the office\nqueries it from a spreadsheet, or when it grows beyond 100 GB.\n"))
	t.answer(say("~docs/decisions/0007-archive.md~ has it, in eleven lines."))
	t.done()
}

// sketch is the session of which only a backup is left: the client's sweep took it.
func sketch(t *talk) {
	t.prompt("Let us sketch how a booking works, from the first click to the cup on the table. Words and boxes, no code yet.")
	t.answer(say("A booking goes through four states:\n\n~~~text\nwanted ─→ held ─→ booked ─→ served\n   └────────┴───────┴─→ cancelled\n~~~\n\nThe interesting one is **held**: a table is kept for somebody who has not confirmed."))
	t.done()
	t.prompt("How long do we hold it?")
	t.answer(think("Long enough to find a phone, short enough that the table is not lost for the evening."),
		say("Ten minutes on the web, an hour for the waitlist. Both are a *deadline* that is stored with the booking, not a timer that somebody has to start."))
	t.done()
	t.prompt("Then a hold is a booking with a deadline?")
	t.answer(say("Yes. A hold is a booking whose deadline is still ahead; confirming it only clears the deadline. The table ~holds~ can go.\n\nOpen: what a guest sees when the deadline passes while the page is still open."))
	t.done()
}

// things are what the turns of filler are about, by project.
func (t *talk) things() []string {
	switch {
	case strings.HasSuffix(t.cwd, "/teahouse"):
		return []string{"the slot picker", "the booking form", "the waitlist mail", "the opening hours", "the menu page", "the guest list"}
	case strings.HasSuffix(t.cwd, "/tide-tables"):
		return []string{"the tide cache", "the gauge reader", "the almanac", "the table of the old mole", "the nightly export"}
	case strings.HasSuffix(t.cwd, "/lantern-books"):
		return []string{"the shelf index", "the search page", "the reservation list", "the card catalogue", "the window list"}
	}
	return []string{
		"the shelf index", "the tide cache", "the booking form", "the waitlist mail", "the seed register",
		"the timetable parser", "the opening hours", "the gauge reader", "the search page", "the nightly export",
	}
}
