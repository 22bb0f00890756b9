// Package doctor implements three commands. doctor checks this machine, status lists what needs attention, and
// live lists the open sessions.
package doctor

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// TimeLimit is the time limit for a program's answer. claude --version 2.1.330 takes 10 ms, and tmux 3 ms.
const TimeLimit = 2 * time.Second

// NewCmd returns the command continuo doctor.
func NewCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor [hooks]",
		Short: "Check this machine, the terminal, backups and sessions",
		Long: `Check this machine, the terminal, backups and sessions. With hooks, check only the
hooks of this project. Each result is ok, a note, a warning or a finding, with a
command that fixes or shows the problem.

doctor changes nothing and needs no network. It reads every session and runs
claude --version, tmux and git.

Exit codes: 1 there is a finding, 2 a check couldn't run.`,
		Example: `  continuo doctor
  continuo doctor hooks`,
		ValidArgs: []cobra.Completion{cobra.CompletionWithDesc("hooks", "check only the hooks of this project")},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "hooks" {
				return runDoctor(cmd.Context(), env, o, true)
			}
			if err := find.NoArgs(cmd, args); err != nil {
				return out.Usage("doctor takes hooks or nothing, not "+out.Quoted(args[0])+".", "continuo doctor --help")
			}
			return runDoctor(cmd.Context(), env, o, false)
		},
	}
}

// verdict is the result of a check.
type verdict = survey.Verdict

// VerdictOK and its siblings are the results of a check.
const (
	VerdictOK      = survey.VerdictOK
	VerdictNote    = survey.VerdictNote
	VerdictWarning = survey.VerdictWarning
	VerdictFinding = survey.VerdictFinding
)

// The sections of the report.
const (
	SectionMachine  = "Machine"
	SectionSessions = "Sessions"
)

// Check is a row of the report. Its texts may contain control characters.
type Check struct {
	Section string
	Name    string
	State   verdict
	Text    string
	Note    string
	Fix     string   // the command that fixes the problem, or ""
	See     []string // the commands that show the details
	branch  bool     // the check has the glyph of a hidden branch
	more    int      // number of commands that See leaves out
}

// glyph returns the glyph of a check.
func (c *Check) glyph() render.Span {
	switch {
	case c.branch:
		return render.Glyph(sessions.BadgeHiddenBranch)
	case c.State == VerdictOK:
		return render.Span{Ink: render.Good, Text: "✓"}
	case c.State == VerdictWarning:
		return render.Span{Ink: render.Warn, Text: "△"}
	case c.State == VerdictFinding:
		return render.Span{Ink: render.BadBold, Text: "✗"}
	}
	return render.Span{Ink: render.Faint, Text: "·"}
}

// Exam is one run of doctor.
type Exam struct {
	Env    *place.Env
	O      *out.Output
	Limit  time.Duration // time limit for each program
	Conf   *place.Config
	bad    error    // error of the config file; Conf then has the defaults
	flags  []string // values of --claude-dir, for printed commands
	dirs   []string // Claude config directories
	from   string   // the setting with dirs; see place.SearchDirs
	rows   []sessions.Row
	broken []string // messages about unreadable files
}

// runDoctor prints each section when it is complete: the section about sessions takes long. If hooks is set, it
// prints only the section about safeguards.
func runDoctor(ctx context.Context, env *place.Env, o *out.Output, hooks bool) error {
	x := &Exam{Env: env, O: o, Limit: TimeLimit}
	x.Conf, x.bad = place.LoadConfig(env)
	x.dirs, x.from = place.SearchDirs(env, x.Conf)
	if len(env.ClaudeDirs) > 0 {
		x.flags = x.dirs
	}
	source := env.Open(catalog.Options{Dirs: x.dirs, Cwd: env.Dir, Home: env.Home, Now: env.Now, Zone: env.Now().Location(), Kept: place.HooksAct(env, x.dirs)})
	quick, problem := source.List(ctx, true)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	x.rows = quick
	if problem != nil {
		x.broken = survey.Sentences(problem)
	}
	p := &doctorPrinter{o: o}
	if hooks {
		p.section(SectionSafeguards, x.safeguards(ctx))
		return p.end()
	}
	p.section(SectionMachine, x.machine(ctx))
	p.section(SectionSafeguards, x.safeguards(ctx))
	exact, _ := source.List(ctx, false) // ignore the error: the quick list has the same one
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if exact != nil {
		x.rows = exact
	}
	p.section(SectionSessions, x.sessions())
	return p.end()
}

// count returns the number of sessions in dir, and their total size. If dir is "", it counts all sessions.
func (x *Exam) count(dir string) (n int, bytes int64) {
	for i := range x.rows {
		if r := &x.rows[i]; r.Kind == sessions.KindSession && (dir == "" || r.Dir == dir) {
			n++
			bytes += r.Bytes
		}
	}
	return n, bytes
}

// shell returns a path as a word of a shell.
func (x *Exam) shell(path string) string { return x.Env.ShellPath(path) }
