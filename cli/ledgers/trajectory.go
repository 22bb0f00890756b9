package ledgers

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

const (
	trajectoryLimit   = 50       // default of --limit
	trajectoryJSONRaw = 64 << 20 // all records together in --json, in bytes
)

const trajectoryHint = "continuo trajectory --help"

// NewTrajectoryCmd returns the command continuo trajectory.
func NewTrajectoryCmd(env *place.Env, o *out.Output) *cobra.Command {
	ask := survey.TimelineAsk{Limit: trajectoryLimit}
	var project string
	cmd := &cobra.Command{
		Use:   "trajectory",
		Short: "Show what agents logged, newest first",
		Long: `Show what agents logged in a project, newest first: time, phase, record and agent.
Records may be one per line, pretty-printed or packed (.jsonl.gz). Lines that aren't
records are counted and skipped.

Exit codes: 1 no such record, 2 a file couldn't be read.`,
		Example: `  continuo trajectory --phase cite --limit 5
  continuo trajectory --day today`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return out.Usage("trajectory takes no argument "+out.Quoted(args[0])+". Name another project with --project PATH.", trajectoryHint)
			}
			if ask.Limit < 0 {
				return out.Usage("--limit takes 0 (no limit) or more.", trajectoryHint)
			}
			for _, f := range []struct{ name, value string }{{"agent", ask.Agent}, {"phase", ask.Phase}, {"project", project}} {
				if cmd.Flags().Changed(f.name) && f.value == "" {
					return out.Usage("--"+f.name+" is empty. Is a variable unset?", trajectoryHint)
				}
			}
			dir, err := find.FolderAsked(env, project)
			if err != nil {
				return err
			}
			return runTrajectory(cmd.Context(), env, o, dir, ask)
		},
	}
	f := cmd.Flags()
	f.StringVar(&ask.Agent, "agent", "", "show one agent, `NAME`")
	f.StringVar(&ask.Phase, "phase", "", "show one `PHASE`: cite, session_handoff, 2b")
	f.Func("since", "show records since `WHEN`: an age (2h 7d 3mo) or a date", func(s string) (err error) { ask.Since, err = find.ParseSince(s, env.Now()); return })
	f.Func("day", "show one `DAY`: today, yesterday or 2026-11-21", func(s string) (err error) { ask.Day, err = find.ParseDay("day", s, env.Now()); return })
	f.IntVar(&ask.Limit, "limit", trajectoryLimit, "show at most `N` records; 0 is no limit")
	find.AddProject(cmd, &project)
	find.CompleteFlag(cmd, "day", "today", "yesterday")
	return cmd
}

// runTrajectory prints the timeline of a project.
func runTrajectory(ctx context.Context, env *place.Env, std *out.Output, dir string, ask survey.TimelineAsk) error {
	if std.JSON {
		ask.Raw = trajectoryJSONRaw
	}
	l, err := survey.TimelineOf(ctx, env.LookFrom(dir), ask)
	if err != nil {
		return place.LookFailure(env, dir, err)
	}
	if std.JSON || len(l.Entries) > 0 {
		o := ledgerlines.LedgerOptions{Width: std.Out.Page(), Styles: std.Out.Styles, Now: env.Now(), Where: env.Tilde(l.Dir)}
		if err := trajectoryRecord(&l).Print(std, func() string { return out.Page(ledgerlines.DrawTimeline(&l, o)) }); err != nil {
			return err
		}
	}
	switch {
	case len(l.Entries) > 0:
	case l.Unread > 0:
		return unreadTrajectory(env, &l)
	default:
		return noRecords(env, &l, &ask)
	}
	if !std.JSON && !std.Out.Terminal {
		sum := ledgerlines.TimelineSum(&l) + "."
		if l.Left > 0 {
			sum += " " + words.Counted(l.Left, "earlier one is", "earlier ones are") + " left out."
		}
		std.Err.Print(sum + "\n")
	}
	if l.Unread > 0 {
		return unreadTrajectory(env, &l)
	}
	for _, problem := range l.Problems {
		std.Err.Print(transcript.CleanLine(problem) + "\n")
	}
	return nil
}

// unreadTrajectory returns the error for an unreadable file.
func unreadTrajectory(env *place.Env, l *survey.Timeline) error {
	what := "A part of the trajectory could not be read. The other records are printed above."
	if len(l.Entries) == 0 {
		what = "The trajectory in " + env.Tilde(l.Dir) + " could not be read. Check the files."
	}
	return &out.Failure{What: what, Facts: l.Problems}
}

// noRecords returns the error for a trajectory without matching records. It lists the agents and phases.
func noRecords(env *place.Env, l *survey.Timeline, ask *survey.TimelineAsk) error {
	if l.Records == 0 {
		return &out.Failure{Code: out.ExitNo, What: "No agent has logged anything in " + env.Tilde(l.Dir) + " yet.", Facts: l.Problems}
	}
	f := &out.Failure{Code: out.ExitNo, What: "None of " + words.Count(l.Records) + " records is " + timelineWords(ask) + ". Choose one of these agents and phases."}
	for _, list := range []struct {
		name  string
		names []survey.NameCount
	}{{"agent", l.Agents}, {"phase", l.Phases}} {
		for _, n := range list.names[:min(len(list.names), find.CandidatesMax)] {
			f.Facts = append(f.Facts, list.name+" "+n.Name+"  "+out.Count(n.N, "record"))
		}
	}
	return f
}

// timelineWords describes a filter, such as "of agent x and of phase y".
func timelineWords(a *survey.TimelineAsk) string {
	var words []string
	for _, w := range []struct{ name, value string }{{"of agent ", a.Agent}, {"of phase ", a.Phase}} {
		if w.value != "" {
			words = append(words, w.name+out.Quoted(w.value))
		}
	}
	if !a.Day.IsZero() {
		words = append(words, "of "+a.Day.Format(time.DateOnly))
	}
	if !a.Since.IsZero() {
		words = append(words, "since "+a.Since.Format("2006-01-02 15:04"))
	}
	if len(words) == 0 {
		return "there"
	}
	return strings.Join(words, " and ")
}

// trajectoryRecord describes a timeline for programs. The field record is an entry's unchanged JSON. It is null
// above a size limit for one entry, or for all entries.
func trajectoryRecord(l *survey.Timeline) *out.Record {
	r := out.NewRecord().Set("project", l.Root).Set("path", l.Dir).Set("files", l.Files).Set("records", l.Records).Set("bad", l.Bad).
		Set("today", l.Today).Set("earlier", l.Earlier)
	names := func(key string, counts []survey.NameCount) {
		list := r.List(key)
		for _, n := range counts {
			list.Add().Set("name", n.Name).Set("records", n.N)
		}
	}
	names("agents", l.Agents)
	names("phases", l.Phases)
	entries := r.List("entries")
	for i := range l.Entries {
		e := &l.Entries[i]
		entries.Add().Set("time", out.Time(e.At)).Set("agent", e.Agent).Set("phase", e.Phase).Set("what", e.What).Set("path", e.File).Set("line", e.Line).
			Set("record", json.RawMessage(cmp.Or(e.Raw, "null"))).Tab("file", filepath.Base(e.File)).Line("", "time agent phase what file line")
	}
	return r.Set("left", l.Left).Set("problems", out.OrEmpty(l.Problems))
}
