package ledgers

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// contextLook has facts for the continuation of a session after a compaction.
type contextLook struct {
	ledger     survey.Ledger
	Continuity bool // NOTES.md has a Session Continuity
	Decisions  bool // NOTES.md has a Decision Log
	Today      int  // today's lines in the trajectory
	active     int  // beads in progress
	titles     []string
}

// LookContext computes the values of context-manager.sh. An unreadable NOTES.md counts as missing; stderr has
// the reason.
func LookContext(ctx context.Context, env *place.Env, o *out.Output, ask *ContextAsk) (*contextLook, error) {
	dir, err := find.FolderAsked(env, ask.Project)
	if err != nil {
		return nil, err
	}
	c := &contextLook{titles: []string{}}
	if c.ledger, err = place.LookLedger(ctx, env, dir, survey.LedgerHow{}); err != nil {
		return nil, err
	}
	if n := c.ledger.Notes; n != nil {
		// The script searches for this text. continuo accepts other headings, too.
		c.Continuity = n.Continuity().Section >= 0 || bytes.Contains(n.Text, []byte("## Session Continuity"))
		c.Decisions = bytes.Contains(n.Text, []byte("## Decision Log"))
		for i := range n.Sections {
			s := &n.Sections[i]
			c.Decisions = c.Decisions || s.Kind == notes.KindDecisions
			if s.Level == 2 {
				c.titles = append(c.titles, transcript.CleanLine(s.Title))
			}
		}
	}
	if g := c.ledger.Beads; g != nil {
		c.active = len(g.InProgress())
	}
	c.Today, err = linesToday(ctx, env, &c.ledger.Project)
	if err != nil && ctx.Err() == nil {
		c.ledger.Problems = append(c.ledger.Problems, "The trajectory cannot be read: "+out.Reason(entries.HealCause(err))+".")
	}
	for _, problem := range ledgerProblems(&c.ledger) {
		o.Err.Print(o.Err.Styles.Paint(render.Warn, "△") + " " + o.Err.Wrapped(out.OneLine(problem)))
	}
	return c, ctx.Err()
}

// linesToday counts today's lines in all trajectories. Like wc -l, it ignores an unterminated line.
func linesToday(ctx context.Context, env *place.Env, p *ledger.Project) (int, error) {
	if _, err := ledger.LookDir(p.Root, p.Trajectory); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil
		}
		return 0, err
	}
	files, err := trajectory.Files(p.Trajectory)
	n := 0
	for i := range files {
		f := &files[i]
		if !strings.HasSuffix(f.Path, "-"+env.Now().Format(time.DateOnly)+".jsonl") {
			continue
		}
		r, failed := ledger.Open(p.Root, f.Path)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		lines, failed := countLines(ctx, r, f.Size)
		err, n = errors.Join(err, failed, r.Close()), n+lines
	}
	return n, err
}

// countLines counts the newlines in the first limit bytes of a file.
func countLines(ctx context.Context, r io.Reader, limit int64) (int, error) {
	n := 0
	buf := make([]byte, 64<<10)
	for r = io.LimitReader(r, limit); ctx.Err() == nil; {
		got, err := r.Read(buf)
		n += bytes.Count(buf[:got], []byte{'\n'})
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
	return n, ctx.Err()
}

// contextStatus prints the settings, and which parts of a ledger exist.
func contextStatus(ctx context.Context, env *place.Env, std *out.Output, ask *ContextAsk) error {
	c, err := LookContext(ctx, env, std, ask)
	if err != nil {
		return err
	}
	conf := &c.ledger.Project.Config.Context
	if std.JSON {
		r := out.NewRecord()
		r.In("config").Set("compaction_enabled", conf.ClientCompaction).Set("notes_preserved", conf.PreserveNotes).
			Set("simplified_checkpoint", conf.SimplifiedCheckpoint)
		r.In("preservation").Set("session_continuity", c.Continuity).Set("decision_log", c.Decisions).
			Set("trajectory_entries_today", c.Today).Set("active_beads", c.active)
		return std.PrintJSON(r.Set("notes_sections", c.titles))
	}
	either := func(is bool, yes, no string) string {
		if is {
			return yes
		}
		return no
	}
	o := contextPage(std, "Context Manager Status")
	o.head("Configuration:")
	o.line("  Client Compaction:     " + either(conf.ClientCompaction, "enabled", "disabled"))
	o.line("  NOTES.md Preserved:    " + either(conf.PreserveNotes, "yes", "no"))
	o.line("  Simplified Checkpoint: " + either(conf.SimplifiedCheckpoint, "yes", "no"))
	o.head("Preservation Status:")
	o.mark(c.Continuity, "Session Continuity section present", "Session Continuity section missing")
	o.mark(c.Decisions, "Decision Log section present", "Decision Log section missing")
	o.line("  Trajectory entries (today): " + strconv.Itoa(c.Today))
	o.line("  Active beads: " + strconv.Itoa(c.active))
	o.head("NOTES.md Sections:")
	for _, title := range c.titles {
		o.line("  - " + title)
	}
	if len(c.titles) == 0 {
		o.line("  (none)")
	}
	o.end()
	return nil
}

// contextWords describes a rule of the config.
func contextWords(rule string) string {
	if words, ok := map[string]string{
		"notes_session_continuity": "NOTES.md Session Continuity section", "notes_decision_log": "NOTES.md Decision Log",
		"trajectory_entries": "Trajectory entries (external files)", "active_beads": "Active bead references",
		"tool_results": "Tool results (after processing)", "thinking_blocks": "Thinking blocks (after trajectory logging)",
		"verbose_debug": "Verbose debug output", "redundant_file_reads": "Redundant file reads", "intermediate_outputs": "Intermediate computation outputs",
	}[rule]; ok {
		return words
	}
	return transcript.CleanLine(rule)
}

// contextRules prints what is always preserved, and what is compactable.
func contextRules(_ context.Context, env *place.Env, std *out.Output, ask *ContextAsk) error {
	p, err := contextProject(env, ask)
	if err != nil {
		return err
	}
	conf := &p.Config.Context
	if std.JSON {
		return std.PrintJSON(out.NewRecord().Set("always_preserve", out.OrEmpty(conf.AlwaysPreserve)).Set("compactable", out.OrEmpty(conf.Compactable)))
	}
	o := contextPage(std, "Preservation Rules")
	o.head("ALWAYS Preserved (survives compaction):")
	for _, rule := range conf.AlwaysPreserve {
		o.line("  ✓ " + contextWords(rule))
	}
	o.head("COMPACTABLE (can be summarized/removed):")
	for _, rule := range conf.Compactable {
		o.line("  ~ " + contextWords(rule))
	}
	o.head("Configuration:")
	o.line("  Rules can be customized in .loa.config.yaml:\n    context_management:\n      preservation_rules:\n        always_preserve: [...]\n        compactable: [...]")
	o.end()
	return nil
}

// contextProject returns the project for a command that reads only the config.
func contextProject(env *place.Env, ask *ContextAsk) (ledger.Project, error) {
	dir, err := find.FolderAsked(env, ask.Project)
	if err != nil {
		return ledger.Project{}, err
	}
	if _, err := os.Stat(dir); err != nil {
		return ledger.Project{}, &out.Failure{Code: out.ExitNone, What: "There is no folder " + env.Tilde(dir) + ". Check the path.", Cause: err}
	}
	return place.LedgerOf(env, dir)
}

// contextPreserve prints whether NOTES.md has the preserved sections.
func contextPreserve(ctx context.Context, env *place.Env, std *out.Output, ask *ContextAsk) error {
	if len(ask.args) == 1 && ask.args[0] != "all" && ask.args[0] != "critical" {
		return contextUsage("preserve", "Unknown section: "+transcript.CleanLine(ask.args[0])+".", "Available sections: all, critical")
	}
	c, err := LookContext(ctx, env, std, ask)
	if err != nil {
		return err
	}
	if std.JSON {
		r := out.NewRecord()
		r.In("notes_session_continuity").Set("present", c.Continuity).Set("required", true)
		r.In("notes_decision_log").Set("present", c.Decisions).Set("required", true)
		r.In("trajectory_entries").Set("present", c.Today > 0).Set("count", c.Today).Set("required", true)
		r.In("active_beads").Set("present", c.active > 0).Set("count", c.active).Set("required", true)
		return std.PrintJSON(r)
	}
	var missing []string
	if !c.Continuity {
		missing = append(missing, "Session Continuity")
	}
	if !c.Decisions {
		missing = append(missing, "Decision Log")
	}
	o := contextPage(std, "")
	o.info("Checking preservation status...")
	if len(missing) == 0 {
		o.good("All critical sections present in NOTES.md")
		o.end()
		return nil
	}
	o.warn("Missing sections: " + strings.Join(missing, ", "))
	o.line("\nAdd missing sections to NOTES.md:")
	for _, m := range missing {
		o.line("  ## " + m)
	}
	for _, part := range entries.Missing(ctx, env, &c.ledger) {
		o.line("\n" + part + " continuo heal restores it.")
	}
	o.end()
	return nil
}

// contextCompact prints what a compaction would keep and remove.
func contextCompact(ctx context.Context, env *place.Env, std *out.Output, ask *ContextAsk) error {
	c, err := LookContext(ctx, env, std, ask)
	if err != nil {
		return err
	}
	conf := &c.ledger.Project.Config.Context
	if std.JSON {
		return std.PrintJSON(out.NewRecord().Set("enabled", conf.ClientCompaction).Set("always_preserve", out.OrEmpty(conf.AlwaysPreserve)).
			Set("compactable", out.OrEmpty(conf.Compactable)).Set("trajectory_entries_today", c.Today).Set("active_beads", c.active))
	}
	o := contextPage(std, "")
	if !conf.ClientCompaction {
		o.warn("Client compaction is disabled")
		o.end()
		return nil
	}
	o.info("Analyzing context for compaction...")
	o.head("Would be PRESERVED:")
	for _, rule := range conf.AlwaysPreserve {
		switch rule {
		case "trajectory_entries":
			o.good("Trajectory entries (" + strconv.Itoa(c.Today) + " today)")
		case "active_beads":
			o.good("Active beads (" + strconv.Itoa(c.active) + ")")
		case "notes_session_continuity":
			o.mark(c.Continuity, contextWords(rule), contextWords(rule)+" (missing)")
		case "notes_decision_log":
			o.mark(c.Decisions, contextWords(rule), contextWords(rule)+" (missing)")
		default:
			o.good(contextWords(rule))
		}
	}
	o.head("Would be COMPACTED:")
	for _, rule := range conf.Compactable {
		o.line("  - " + contextWords(rule))
	}
	o.line("")
	if ask.dry {
		o.info("Dry run - no changes made")
	} else {
		o.info("Use Claude Code's /compact command for actual compaction")
		o.info("continuo validates preservation rules only")
	}
	o.end()
	return nil
}
