package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/handover"
)

// Counts has the numbers of tasks in a snapshot.
type Counts struct {
	Pending    int            `json:"pending"`
	InProgress int            `json:"inProgress"`
	Priorities map[string]int `json:"priorities"` // number of pending tasks of each priority
	Done       int            `json:"done"`       // Individual + From
	Individual int            `json:"individual"`
	Groups     int            `json:"consolidated"`     // consolidated tasks
	From       int            `json:"consolidatedFrom"` // number of tasks that were joined into consolidated tasks
}

// Counts counts the tasks.
func (s *Snapshot) Counts() Counts {
	c := Counts{Priorities: map[string]int{}}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		switch {
		case t.isDone() && t.Consolidated:
			c.Groups++
			c.From += t.count()
		case t.isDone():
			c.Individual++
		case t.status() == handover.InProgress:
			c.InProgress++
		default:
			c.Pending++
			if t.Priority != "" {
				c.Priorities[t.Priority]++
			}
		}
	}
	c.Done = c.Individual + c.From
	return c
}

// Next returns the task to continue with; nil if all tasks are completed. Tasks in progress come first, then the
// priority decides, then the order of the file.
func (s *Snapshot) Next() *Task {
	var next *Task
	for i := range s.Tasks {
		if t := &s.Tasks[i]; !t.isDone() && (next == nil || t.rank() < next.rank()) {
			next = t
		}
	}
	return next
}

// rank returns the key by which open tasks are sorted.
func (t *Task) rank() string {
	rank := "2"
	if t.status() == handover.InProgress {
		rank = "1"
	}
	if t.Priority == "" {
		return rank + "P9"
	}
	return rank + t.Priority
}

// Age returns the time since the last save. ok is false if the time of the save is unknown.
func (s *Snapshot) Age(now time.Time) (age time.Duration, ok bool) {
	at := s.Updated
	if at.IsZero() {
		at = s.Created
	}
	return max(0, now.Sub(at)), !at.IsZero()
}

// AgeText returns the age of a snapshot in the format of the spec, such as "2d old".
func (s *Snapshot) AgeText(now time.Time) string {
	age, ok := s.Age(now)
	switch {
	case !ok:
		return "age unknown"
	case age >= 24*time.Hour:
		return strconv.Itoa(int(age/(24*time.Hour))) + "d old"
	case age >= time.Hour:
		return strconv.Itoa(int(age/time.Hour)) + "h old"
	}
	return strconv.Itoa(int(age/time.Minute)) + "m old"
}

// SavedText returns the report of a save (spec 004, Output Format).
func (s *Snapshot) SavedText() string {
	c := s.Counts()
	pend := strconv.Itoa(c.Pending) + " pend"
	var priorities []string
	for p, n := range c.Priorities {
		priorities = append(priorities, p+" "+strconv.Itoa(n))
	}
	slices.Sort(priorities)
	for i, p := range priorities {
		name, n, _ := strings.Cut(p, " ")
		priorities[i] = n + " " + name
	}
	if priorities != nil {
		pend += " (" + strings.Join(priorities, ", ") + ")"
	}
	if c.InProgress > 0 {
		pend += ", " + strconv.Itoa(c.InProgress) + " prog"
	}
	done := fmt.Sprintf("%d done", c.Done)
	switch {
	case c.Groups > 0:
		done += fmt.Sprintf(" (%d individual, %s)", c.Individual, c.groups())
	case c.Individual > 0:
		done += fmt.Sprintf(" (%d individual)", c.Individual)
	}
	return report("Saved → "+Name, append([]string{pend, done}, s.gitLines(Drift{})...), s.Next())
}

// LoadedText returns the report of a load (spec 004, Output Format).
func (s *Snapshot) LoadedText(now time.Time, drift Drift) string {
	return report("Loaded "+Name+" ("+s.AgeText(now)+")", append([]string{s.CountsText()}, s.gitLines(drift)...), s.Next())
}

// loaded returns the counts in the words that are printed after a load.
func (c *Counts) loaded() string {
	text := strconv.Itoa(c.Pending) + " pend"
	if c.InProgress > 0 {
		text += ", " + strconv.Itoa(c.InProgress) + " prog"
	}
	text += ", " + strconv.Itoa(c.Done) + " done"
	if c.Groups > 0 {
		text += " (" + c.groups() + ")"
	}
	return text
}

func (c *Counts) groups() string {
	return fmt.Sprintf("%d consolidated from %d", c.Groups, c.From)
}

// gitLines returns the branch and the commit of the last save, and the current branch if it differs. Without data of
// git, it returns nil.
func (s *Snapshot) gitLines(drift Drift) []string {
	if s.Branch == "" && s.Commit == "" {
		return nil
	}
	text := "Git: " + orDetached(s.Branch)
	if s.Commit != "" {
		text += " @ " + s.Commit[:min(len(s.Commit), shortCommit)]
	}
	if commits := drift.Commits(); commits != "" {
		text += " (" + commits + ")"
	}
	if drift.Branch == "" {
		return []string{text}
	}
	return []string{text, "Branch: " + orDetached(s.Branch) + " → " + drift.Branch}
}

func orDetached(branch string) string {
	if branch == "" {
		return "detached"
	}
	return branch
}

func report(head string, lines []string, next *Task) string {
	for _, l := range lines {
		head += "\n- " + l
	}
	if next != nil {
		head += "\nNext: " + next.ID + " - " + next.Title
	}
	return head
}

// shortCommit is the number of digits of a commit in a report.
const shortCommit = 7

// Git describes the current state of the repository, for the comparison with a snapshot.
type Git struct {
	Branch, Commit string // "" if unknown, and Branch for a detached HEAD
	Ahead, Behind  int    // number of commits since the commit of the snapshot, and number of its commits that HEAD lacks
	Unknown        bool   // the repository doesn't have the commit of the snapshot
}

// Drift describes the changes of a repository since a save.
type Drift struct {
	Ahead   int    `json:"ahead"`
	Behind  int    `json:"behind"`
	Unknown bool   `json:"unknownCommit"`
	Branch  string `json:"branch"` // the current branch if it differs from that of the snapshot, else ""
}

// SameCommit reports whether one of two hashes is a prefix of the other, with at least 7 digits.
func SameCommit(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return min(len(a), len(b)) >= shortCommit && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// Drift compares a snapshot with its repository. Without changes or a repository, the result is the zero value.
func (s *Snapshot) Drift(g Git) Drift {
	var d Drift
	if g.Commit == "" {
		return d
	}
	if s.Commit != "" && !SameCommit(s.Commit, g.Commit) {
		d.Ahead, d.Behind, d.Unknown = g.Ahead, g.Behind, g.Unknown
	}
	if s.Commit != "" && s.Branch != g.Branch {
		d.Branch = orDetached(g.Branch)
	}
	return d
}

// Short describes the drift of commits in at most 13 characters, such as "2 ahead" or "diverged 2/1". It returns ""
// if there is none.
func (d Drift) Short() string {
	switch {
	case d.Ahead > 0 && d.Behind > 0:
		return fmt.Sprintf("diverged %d/%d", d.Ahead, d.Behind)
	case d.Ahead > 0:
		return fmt.Sprintf("%d ahead", d.Ahead)
	case d.Behind > 0:
		return fmt.Sprintf("%d behind", d.Behind)
	}
	return ""
}

// Commits describes the drift of commits as a phrase; "" if there is none.
func (d Drift) Commits() string {
	ahead, behind := words.Counted(d.Ahead, "commit", "commits")+" ahead", words.Counted(d.Behind, "commit", "commits")+" behind"
	switch {
	case d.Unknown:
		return "unknown commit"
	case d.Ahead > 0 && d.Behind > 0:
		return "diverged: " + ahead + ", " + behind
	case d.Ahead > 0:
		return ahead
	case d.Behind > 0:
		return behind
	}
	return ""
}
