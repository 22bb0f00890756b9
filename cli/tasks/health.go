package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// healthCommand is the command of a health check. A command from a checkout isn't trusted: the plan shows all of
// it, and the user decides whether it runs.
type healthCommand struct {
	command string // "" means no check
	from    string // where it comes from
	own     bool   // from the user's config
	ran     bool   // this project ran it last
	changed bool   // this project ran a different command last
}

// healthOf returns the health command of the config, else of package.json.
func healthOf(env *place.Env, root string) (healthCommand, error) {
	conf, err := place.LoadConfig(env)
	if err != nil {
		return healthCommand{}, err
	}
	if conf.TaskHealth != "" {
		return healthCommand{command: conf.TaskHealth, from: place.KeyHealth + " of your config", own: true}, nil
	}
	text, err := sessions.ReadSmall(filepath.Join(root, "package.json"), packageMost)
	if errors.Is(err, fs.ErrNotExist) {
		return healthCommand{}, nil
	}
	var p struct{ Scripts map[string]any }
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return healthCommand{}, &out.Failure{What: "package.json can't be read: " + out.Reason(err) + ". Set " + place.KeyHealth + " in your config.", Cause: err}
	}
	command, _ := p.Scripts["test:smoke"].(string)
	k := healthCommand{command: strings.TrimSpace(command), from: `scripts["test:smoke"] of package.json`}
	k.ran, k.changed = place.HealthRan(env, root, k.command)
	return k, nil
}

// packageMost is the maximum size of package.json in bytes.
const packageMost = 1 << 20

func (k *healthCommand) none() error {
	return &out.Failure{What: `There is no health check. Set ` + place.KeyHealth + ` in your config, or scripts["test:smoke"] in package.json.`}
}

// lines shows the whole command in the plan, and the last result.
func (k *healthCommand) lines(st *task.Status, run bool) []change.Line {
	if k.command == "" {
		return []change.Line{writing.Warning(`there is none: set ` + place.KeyHealth + ` in your config`)}
	}
	lines := []change.Line{{Text: "from " + k.from}}
	for s := range strings.SplitSeq(transcript.Clean(k.command), "\n") {
		lines = append(lines, change.Line{Tone: change.Code, Text: s})
	}
	switch {
	case k.changed:
		lines = append(lines, writing.Warning("the command has changed since the last run"))
	case !k.own && !k.ran:
		lines = append(lines, writing.Warning("this command has not run here yet"))
	case st.Health != nil && !st.Health.Passed:
		lines = append(lines, writing.Warning("it failed at the last run"))
	}
	if run {
		return append(lines, change.Line{Mark: change.Good, Text: "runs after you agree"})
	}
	return append(lines, writing.Warning("not run; to run it, pass --health"))
}

// outputMost is the maximum size of the output in a checkpoint, in bytes. A checkpoint stores the end.
const outputMost = 4 << 10

// run runs the command. A failed check isn't an error.
func (k *healthCommand) run(ctx context.Context, env *place.Env, root string) (*task.Check, error) {
	if !k.own {
		place.RememberHealth(ctx, env, root, k.command)
	}
	code, output, err := env.Host.Shell(ctx, root, k.command)
	if err != nil {
		return nil, &out.Failure{What: "The health check could not be run: " + out.Reason(err) + ". Nothing was written.", Cause: err}
	}
	output = transcript.Clean(output)
	return &task.Check{Command: k.command, Code: code, Output: strings.ToValidUTF8(output[max(len(output)-outputMost, 0):], "")}, nil
}

// unhealthy returns the error for a failed check, else nil.
func unhealthy(slug string, c *task.Check) error {
	if c == nil || c.Code == 0 {
		return nil
	}
	f := &out.Failure{Code: out.ExitNo, What: "The health check failed with exit code " + strconv.Itoa(c.Code) + ". Fix it before new work.", Hints: []string{"continuo task health --task " + slug + " --health"}}
	if c.Output != "" {
		lines := strings.Split(c.Output, "\n")
		f.Facts = lines[max(len(lines)-shownLines, 0):]
	}
	return f
}

// shownLines is the maximum number of output lines in an error.
const shownLines = 10

func newHealthCmd(env *place.Env, o *out.Output) *cobra.Command {
	var a ask
	var flags writing.Flags
	var run bool
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Show or run the health check of a task",
		Long: `Show the health check of a task, or run it with --health and record the result. If it
passes after a failure, the task takes checkpoints at higher gates again.

Exit codes: 1 you said no, it wasn't run, or it failed; 2 an error, or there is no
terminal to ask in; 3 no such task.`,
		Example: `  continuo task health --task feat-user-auth --health`,
		Args:    find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			flags.FinishInterrupted(ctx, env)
			t, err := a.look(ctx, env, cmd)
			if err != nil {
				return err
			}
			one, err := a.one(env, &t)
			if err != nil {
				return err
			}
			k, err := healthOf(env, t.Root)
			if err == nil && k.command == "" {
				err = k.none()
			}
			if err != nil {
				return err
			}
			check := &task.Check{Command: k.command}
			p := &writing.Plan{}
			p.Add("Health", k.lines(&one.Status, run)...)
			if !run {
				o.Out.Print(p.Text(o.Out))
				return &out.Failure{Code: out.ExitNo, What: "The health check was not run.", Hints: []string{"continuo task health --task " + one.Slug + " --health"}}
			}
			planned := func() (*Work, error) {
				return plan(ctx, env, &t, []*task.Task{one}, "task health", "", func(ctx context.Context, k *task.Task) (change.Change, error) {
					return k.PlanHealth(ctx, env.Now(), check)
				})
			}
			w, err := planned()
			if err != nil {
				return err
			}
			w.before = p.Parts
			w.first = func() (*Work, error) {
				if check, err = k.run(ctx, env, t.Root); err != nil {
					return nil, err
				}
				return planned()
			}
			if err := w.proceed(cmd, o, flags); err != nil {
				return err
			}
			return unhealthy(one.Slug, check)
		},
	}
	cmd.Flags().BoolVar(&run, "health", false, "run it")
	a.addFlags(cmd, env, "check the task `NAME` (default the only one)")
	writing.AddFlags(cmd, &flags)
	return cmd
}
