package doctor

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	trackedLimit = 2 * time.Second // time limit of git
)

// hereStatus is the status of this project.
type hereStatus struct {
	Project   string        // the project with the memory, or ""
	Branch    string        // the current branch, or ""
	Hooks     []HookTrouble // worst problem first
	Tracked   int
	context   *StatusContext   // nil if missing
	documents *statusDocuments // nil if there are none
	staged    *statusStaged    // nil if nothing is staged
	late      bool             // the documents were not read in time
}

// HookTrouble is a problem with the hooks.
type HookTrouble struct {
	Name  string  `json:"name"`
	State verdict `json:"state"`
	Text  string  `json:"text"`
}

// rank returns the order of a problem. Findings are before warnings.
func (t *HookTrouble) rank() int {
	if t.State == VerdictFinding {
		return 0
	}
	return 1
}

// StatusContext describes active-context.md.
type StatusContext struct {
	Path    string   `json:"path"`
	Updated out.Time `json:"updated"` // null if it was never updated
	Bytes   int64    `json:"bytes"`
	Stale   bool     `json:"stale"`
	Heavy   bool     `json:"heavy"`
}

// statusDocuments describes the session documents.
type statusDocuments struct {
	Count  int      `json:"count"`
	Newest string   `json:"newest"` // path of the newest document
	Date   out.Time `json:"date"`
	Status string   `json:"status"` // "" without documents
	Open   int      `json:"open"`   // open todos of the newest document
}

// statusHere starts to collect the status of this project. The returned function waits for the status. If line
// is set, it immediately returns an empty status.
func statusHere(ctx context.Context, env *place.Env, dirs []string, line bool) func(s *Status) hereStatus {
	if line {
		return func(*Status) hereStatus { return hereStatus{} }
	}
	wait := survey.BeginHere(ctx, env.LookFrom(env.Dir), func(project string) survey.HookPlace { return place.HookPlace(env, dirs, project) },
		func(ctx context.Context, project string) int { return TrackedHere(ctx, env, project) })
	return func(s *Status) hereStatus {
		h, unknown := wait(s.Unsaved)
		s.Unknown += unknown
		return newHereStatus(env, &h)
	}
}

// newHereStatus converts the facts about this project for printing.
func newHereStatus(env *place.Env, h *survey.Here) hereStatus {
	here := hereStatus{Project: h.Project, Branch: h.Branch, Tracked: h.Tracked, late: h.Late, staged: NewStatusStaged(h.Staged)}
	if c := h.Context; c != nil {
		here.context = &StatusContext{c.Path, out.Time(c.Updated), c.Bytes, c.Stale(env.Now()), c.Heavy()}
	}
	if c := h.Documents; c != nil {
		here.documents = &statusDocuments{c.Count, c.Newest, out.Time(c.Date), c.Status, c.Open}
	}
	if h.Project == "" {
		return here
	}
	for _, c := range hookChecks(env, &h.Hooks) {
		if c.State == VerdictFinding || c.State == VerdictWarning {
			here.Hooks = append(here.Hooks, HookTrouble{c.Name, c.State, c.Text})
		}
	}
	slices.SortStableFunc(here.Hooks, func(a, b HookTrouble) int { return cmp.Compare(a.rank(), b.rank()) })
	return here
}

// privateDirs returns the directories with transcripts.
func privateDirs() []string { return []string{".claude/memory/raw", ".claude/memory/trash"} }

// TrackedHere counts the files in privateDirs that git tracks. If git fails, it returns 0.
func TrackedHere(ctx context.Context, env *place.Env, project string) int {
	if project == "" {
		return 0
	}
	ctx, cancel := context.WithTimeout(ctx, trackedLimit)
	defer cancel()
	out, err := env.Host.Git(ctx, project, append([]string{"ls-files", "-z", "--"}, privateDirs()...)...)
	if err != nil {
		return 0
	}
	n := 0
	for name := range strings.SplitSeq(out, "\x00") {
		if name != "" && filepath.Base(name) != ".gitignore" { // continuo's .gitignore may be committed
			n++
		}
	}
	return n
}

// readOnly returns the first directory of a memory that its owner may not write, or "". It checks modes: a
// read-only file system makes the hook fail, which another check reports.
func readOnly(memory string) string {
	const ownerAll = fs.FileMode(0o700)
	for _, dir := range []string{memory, filepath.Join(memory, "raw")} {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && info.Mode().Perm()&ownerAll != ownerAll {
			return dir
		}
	}
	return ""
}

// rowsHere returns the rows about this project.
func rowsHere(env *place.Env, h *hereStatus) []statusRow {
	var rows []statusRow
	if n := len(h.Hooks); n > 0 {
		fact := h.Hooks[0].Text
		if name := h.Hooks[0].Name; name != "hooks" {
			fact = name + " " + fact
		}
		row := statusRow{render.Warn, "△", "hooks", n, fact, "", "continuo doctor hooks"}
		if h.Hooks[0].State == VerdictFinding {
			row.ink, row.glyph = render.BadBold, "✗"
		}
		rows = append(rows, row)
	}
	if h.Tracked > 0 {
		fact := "raw backups are tracked by git, " + out.Count(h.Tracked, "file")
		rows = append(rows, statusRow{render.BadBold, "✗", "secret", h.Tracked, fact, "", "continuo doctor hooks"})
	}
	if c := h.context; c != nil {
		row := statusRow{render.Faint, "·", "context", int(c.Bytes), "", "stale after 24 h, heavy from 20 kB", ""}
		age := "never updated"
		if updated := time.Time(c.Updated); !updated.IsZero() {
			age = render.Old(env.Now().Sub(updated)) + " old"
		}
		row.Fact = filepath.Base(c.Path) + ", " + age + ", " + words.Size(c.Bytes)
		if c.Stale || c.Heavy {
			row.ink, row.glyph = render.Warn, "△"
		}
		rows = append(rows, row)
	}
	if s := h.staged; s != nil {
		rows = append(rows, StagedRow(env, s))
	}
	if h.late {
		rows = append(rows, statusRow{render.Faint, "…", "documents", 0, "unknown: reading them takes longer than 0.2 s", "", ""})
	}
	if c := h.documents; c != nil {
		facts := []string{words.Count(c.Count), "the newest from " + render.Day(env.Now(), time.Time(c.Date))}
		if status := strings.NewReplacer("-", " ", "_", " ").Replace(c.Status); status != "" {
			facts = append(facts, status)
		}
		if c.Open > 0 {
			facts = append(facts, out.Count(c.Open, "open todo"))
		}
		rows = append(rows, statusRow{render.Faint, "·", "documents", c.Count, strings.Join(facts, ", "), "", ""})
	}
	return rows
}
