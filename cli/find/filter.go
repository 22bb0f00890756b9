package find

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui"
)

// RowFilter has the filters of the command list.
type RowFilter struct {
	states []sessions.State
	kinds  []sessions.Kind
	since  time.Time
	Picker bool // only sessions that Claude Code's /resume list leaves out
	Hide   bool // leave out and count rarely needed rows
}

func (f *RowFilter) holds(r *sessions.Row) bool {
	return (len(f.states) == 0 || slices.Contains(f.states, r.State)) &&
		(!f.Picker || r.Unpicked() != "") &&
		(len(f.kinds) == 0 || slices.Contains(f.kinds, r.Kind)) &&
		(f.since.IsZero() || !r.When().Before(f.since))
}

// isMemory reports whether a row is one of spec 000's two documents without a session.
func isMemory(r *sessions.Row) bool {
	return r.Kind == sessions.KindDocument && !r.IsSessionDocument() && !r.IsSnapshot()
}

// ListView has the rows within the filters and the limit, and counts the remaining ones.
type ListView struct {
	scope     Scope
	rows      []sessions.Row
	total     int // rows before the limit
	Kinds     map[sessions.Kind]int
	memory    int // documents without a session
	snapshots int
	worktrees int
	hidden    hiddenRows
	filtered  bool        // a flag restricts the list
	picker    bool        // rows say why the /resume list leaves them out
	looked    []tui.Place // the searched places; nil if there are sessions
}

// hiddenRows counts the rows that a terminal list leaves out. An empty session is a stub. A headless run is sdk,
// even if it is a stub.
type hiddenRows struct{ stubs, sdk, archived, backups, documents, memory int }

// SelectRows applies the filters and the limit, and counts the remaining rows. The limit 0 means no limit.
func SelectRows(rows []sessions.Row, s Scope, f RowFilter, limit int) ListView {
	v := ListView{scope: s, Kinds: map[sessions.Kind]int{}}
	var trees []string
	for i := range rows {
		r := &rows[i]
		if !s.Holds(r) || !f.holds(r) {
			continue
		}
		if s.Project != "" && r.Kind == sessions.KindSession && r.Workdir != "" && !place.Within(r.Workdir, s.Project) {
			trees = append(trees, r.Workdir)
		}
		if f.Hide && v.hidden.take(r, &f) {
			continue
		}
		switch {
		case isMemory(r):
			v.memory++
		case r.IsSnapshot():
			v.snapshots++
		default:
			v.Kinds[r.Kind]++
		}
		v.rows = append(v.rows, *r)
	}
	v.worktrees = countRoots(trees)
	v.total = len(v.rows)
	if onlyDocuments(f.kinds) {
		slices.SortStableFunc(v.rows, func(a, b sessions.Row) int { return documentOrder(&a) - documentOrder(&b) })
	}
	if limit > 0 && v.total > limit {
		v.rows = v.rows[:limit]
	}
	return v
}

// take reports whether a row is hidden, and counts it.
func (h *hiddenRows) take(r *sessions.Row, f *RowFilter) bool {
	switch {
	case r.Kind == sessions.KindBackup && len(f.kinds) == 0:
		h.backups++
	case isMemory(r) && len(f.kinds) == 0:
		h.memory++
	case r.Kind == sessions.KindDocument && len(f.kinds) == 0:
		h.documents++
	case !r.Quiet():
		return false
	case r.Archived:
		h.archived++
	case r.Has(sessions.FlagSDK):
		h.sdk++
	case len(f.states) > 0:
		return false
	default:
		h.stubs++
	}
	return true
}

// documentOrder returns the sort key of a document: sessions, then the memory, then snapshots.
func documentOrder(r *sessions.Row) int {
	switch {
	case isMemory(r):
		return 1
	case r.IsSnapshot():
		return 2
	}
	return 0
}

// countRoots counts the directories outside all others of dirs.
func countRoots(dirs []string) int {
	slices.Sort(dirs)
	n, last := 0, ""
	for _, d := range dirs {
		if !place.Within(d, last) {
			n, last = n+1, d
		}
	}
	return n
}

func addStates(have []sessions.State, value string) ([]sessions.State, error) {
	known := []sessions.State{
		sessions.StateOK, sessions.StateEmpty, sessions.StateStub, sessions.StateDamaged, sessions.StateUnreadable,
	}
	return addValues("--state", have, known, value)
}

func addKinds(have []sessions.Kind, value string) ([]sessions.Kind, error) {
	return addValues("--kind", have, []sessions.Kind{sessions.KindSession, sessions.KindBackup, sessions.KindDocument}, value)
}

// addValues appends the comma-separated values of a flag.
func addValues[T ~string](flag string, have, known []T, value string) ([]T, error) {
	for s := range strings.SplitSeq(value, ",") {
		v := T(strings.TrimSpace(s))
		if !slices.Contains(known, v) {
			return nil, out.Usage(flag + " takes " + OrList(known) + ", not " + out.Quoted(s) + ".")
		}
		have = append(have, v)
	}
	return have, nil
}

// OrList joins values, as in "a, b or c".
func OrList[T ~string](values []T) string {
	var b strings.Builder
	for i, v := range values {
		switch {
		case i == 0:
		case i == len(values)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(v))
	}
	return b.String()
}

// ParseSince parses an age (40s 2m 3h 5d 2w 3mo 2y) or a date. The defaults are midnight and the local zone.
func ParseSince(value string, now time.Time) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, value); err == nil {
		return t, nil
	}
	for _, layout := range []string{"2006-01-02", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		if t, err := time.ParseInLocation(layout, value, now.Location()); err == nil {
			return t, nil
		}
	}
	digits := strings.TrimRight(value, "smhdwoy")
	n, err := strconv.Atoi(digits)
	if err == nil && n >= 0 && n < 1_000_000 {
		switch value[len(digits):] {
		case "s":
			return now.Add(-time.Duration(n) * time.Second), nil
		case "m":
			return now.Add(-time.Duration(n) * time.Minute), nil
		case "h":
			return now.Add(-time.Duration(n) * time.Hour), nil
		case "d":
			return now.AddDate(0, 0, -n), nil
		case "w":
			return now.AddDate(0, 0, -7*n), nil
		case "mo":
			return now.AddDate(0, -n, 0), nil
		case "y":
			return now.AddDate(-n, 0, 0), nil
		}
	}
	return time.Time{}, out.Usage("--since takes an age (30m 12h 7d 2w 3mo 1y) or a date (2026-11-21), not " + out.Quoted(value) + ".")
}

// ParseDay parses today, yesterday, 2026-11-21 or 20261121, in the zone of now.
func ParseDay(flag, value string, now time.Time) (time.Time, error) {
	switch strings.ToLower(value) {
	case "today":
		return now, nil
	case "yesterday":
		return now.AddDate(0, 0, -1), nil
	}
	day, err := time.ParseInLocation(time.DateOnly, value, now.Location())
	if err != nil {
		day, err = time.ParseInLocation("20060102", value, now.Location())
	}
	if err != nil {
		return day, out.Usage("--" + flag + " takes today, yesterday or a date (2026-11-21), not " + out.Quoted(value) + ".")
	}
	return day, nil
}
