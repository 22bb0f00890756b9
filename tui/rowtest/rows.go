// Package rowtest has example rows for tests.
package rowtest

import (
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Now returns the current time of the tests.
func Now() time.Time { return time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC) }

// Row returns a session whose last message has the given age. more, if set, changes the row.
func Row(path, name string, age time.Duration, more func(*sessions.Row)) sessions.Row {
	r := sessions.Row{Kind: sessions.KindSession}
	r.Path, r.ID, r.Name = "/home/ada/.claude/projects/-x/"+path+".jsonl", path+"-71c4-4e0d", name
	r.Project, r.Workdir, r.Branch = "/home/ada/code/teahouse", "/home/ada/code/teahouse", "main"
	r.Last = Now().Add(-age)
	r.State, r.Exact = sessions.StateOK, true
	if more != nil {
		more(&r)
	}
	return r
}

// Backups returns the backups of the mock screens, pending ones first.
func Backups() []sessions.Row {
	row := func(made, reason, project, name string, bytes int64, rel sessions.Relation, more func(*sessions.Row)) sessions.Row {
		at, err := time.Parse("2006-01-02 15:04", made)
		if err != nil {
			panic(err)
		}
		return Row("x", name, 0, func(r *sessions.Row) {
			r.Kind, r.Created, r.Last, r.First, r.Bytes, r.Relation = sessions.KindBackup, at, at, at.Add(-48*time.Hour), bytes, rel
			r.ID = at.Format("20060102_150405Z") + reason
			r.Project, r.Workdir = "/home/ada/code/"+project, "/home/ada/code/"+project
			r.Path, r.Of = r.Project+"/.claude/memory/raw/"+r.ID+".jsonl", "7c41e9d2-71c4-4e0d-8a31-0b9f4d62c7e1"
			r.Messages, r.Exact = 318, true
			r.Tokens.Input = 104_300
			if more != nil {
				more(r)
			}
		})
	}
	const same, grown, rewritten, gone = sessions.RelationSame, sessions.RelationGrown, sessions.RelationRewritten, sessions.RelationGone
	pending := func(r *sessions.Row) { r.Pending = true }
	unseen := func(r *sessions.Row) { r.Unseen = true }
	torn := func(r *sessions.Row) { r.Unseen, r.Fault = true, "torn last line" }
	broken := func(r *sessions.Row) { r.State, r.Reason = sessions.StateUnreadable, "permission denied" }
	unknown := func(r *sessions.Row) { r.Of = "" }
	return []sessions.Row{
		row("2026-11-21 11:02", "_compact", "teahouse", "Move the slot picker", 2_200_000, same, pending),
		row("2026-11-20 18:42", "_exit", "pantry", "Teapot firmware", 890_000, grown, pending),
		row("2026-10-11 19:21", "_exit", "teahouse", "First sketch of the booking flow", 1_400_000, gone, pending),
		row("2026-11-19 22:07", "_clear", "teahouse", "Rewrite the waitlist e-mails", 3_100_000, rewritten, unseen),
		row("2026-11-18 09:30", "_compact", "lamplight", "Dim the lamp at dusk", 610_000, grown, unseen),
		row("2026-11-15 08:49", "", "pantry", "Kettle", 18_000, same, torn),
		row("2026-11-14 18:10", "_exit", "teahouse", "Guest tokens", 1_900_000, same, nil),
		row("2026-11-12 20:55", "_logout", "teahouse", "Pick a job queue", 740_000, gone, nil),
		row("2026-11-12 11:40", "_compact", "teahouse", "Split the handler", 733_000, grown, nil),
		row("2026-11-10 16:03", "_exit", "pantry", "Tea leaves", 55_000, "", nil),
		row("2026-11-09 10:26", "_exit", "lamplight", "Wicks", 1_100_000, "", unknown),
		row("2026-11-07 19:14", "_compact", "teahouse", "Locked", 4_800_000, "", broken),
		row("2026-11-05 12:01", "_clear", "pantry", "Shelves", 230_000, rewritten, nil),
	}
}

// Lost returns the backup of a lost session. made is the time of the backup, age the age of the last message.
func Lost(id, name, made string, age time.Duration, more func(saved *sessions.Row)) sessions.Row {
	at, err := time.Parse("2006-01-02 15:04", made)
	if err != nil {
		panic(err)
	}
	saved := Row(id, name, age, func(r *sessions.Row) {
		r.Dir, r.Flags, r.Messages, r.Bytes = "/home/ada/.claude", []sessions.Flag{sessions.FlagBackupOnly}, 318, 1_400_000
		r.First, r.Created = r.Last.Add(-time.Hour), r.Last.Add(-time.Hour)
		r.Prompt = "Let us sketch how a booking works."
	})
	if more != nil {
		more(&saved)
	}
	b := saved
	b.Kind, b.Created, b.Of, b.Saved, b.Relation = sessions.KindBackup, at, saved.ID, &saved, sessions.RelationGone
	b.ID = at.Format("20060102_150405Z") + "_exit"
	b.Path = b.Workdir + "/.claude/memory/raw/" + b.ID + ".jsonl"
	b.Starred, b.Archived, b.Note, b.Tags = false, false, "", nil
	return b
}

// Memory is the directory with the documents.
const Memory = "/home/ada/code/teahouse/.claude/memory/"

// Document returns a document that was written days ago.
func Document(name, title, status, branch, previous string, days int, tags string, todos ...string) sessions.Row {
	return Row(name, title, 0, func(r *sessions.Row) {
		r.Kind, r.Path, r.ID = sessions.KindDocument, Memory+name+".md", name
		r.Created = time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC).AddDate(0, 0, -days)
		r.Status, r.Branch, r.Previous, r.Bytes = status, branch, previous, 4_800
		if tags != "" {
			r.Tags = strings.Split(tags, ",")
		}
		for _, t := range todos {
			todo, ok := sessions.ParseTodo("- [ ] " + t)
			if rest, done := strings.CutPrefix(t, "✓ "); done {
				todo, ok = sessions.Todo{Text: rest, Done: true}, true
			}
			if ok {
				r.Todos = append(r.Todos, todo)
			}
		}
	})
}

// Documents returns the documents of the mock screen: two chains of three documents, and a document with invalid front
// matter.
func Documents() []sessions.Row {
	bad := Document("session-2026-10-09-2210", "session-2026-10-09-2210.md", "", "", "", 43, "")
	bad.Malformed, bad.Reason = true, "front matter: line 4: tags is not a list"
	rows := []sessions.Row{
		Document("session-2026-11-14-1810", "Guest tokens join the shared clock", "in-progress", "fix/token-race", "session-2026-11-12-0900.md", 7, "auth,tokens,clock",
			"HIGH: The admin console still compares days", "MEDIUM: Delete the sameDay helper", "MEDIUM: Log the skew of each host once a day", "✓ Move the clock into its own file"),
		Document("session-2026-11-12-0900", "Leeway is agreed, skew is tested", "completed", "fix/token-race", "session-2026-11-07-1100.md", 9, "auth,clock",
			"HIGH: Agree on the leeway with the owner of hosts"),
		Document("session-2026-11-07-1100", "Two verifiers, one of them wrong", "completed", "main", "", 14, "auth,research"),
		Document("session-2026-11-04-0930", "Waitlist mails wait for a wording", "blocked", "waitlist", "session-2026-10-28-0800.md", 17, "waitlist,mail",
			"BLOCKED: The second reminder needs a wording", "LOW: Translate the mails"),
		Document("session-2026-10-28-0800", "The waitlist promotes on cancel", "completed", "waitlist", "session-2026-10-11-1900.md", 24, "waitlist"),
		Document("session-2026-10-11-1900", "First sketch of the booking flow", "completed", "main", "", 41, "booking,design", "LOW: Draw the empty calendar"),
		bad,
	}
	rows[0].Next = []string{"Give guest tokens the shared check", "Then the admin console, with its own test"}
	return rows
}
