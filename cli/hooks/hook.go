// Package hooks implements the commands hook, init and uninstall. Claude Code calls the command hook.
package hooks

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/transcript"
)

// Names of hooks.
const (
	HookDiscard  = "discard-backup" // called by the script of the discard command, not an event of Claude Code
	discardLimit = 20 * time.Second
)

// NewHookCmd returns the command continuo hook.
func NewHookCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "hook EVENT",
		Short: "Run a hook for Claude Code (continuo init installs them)",
		Long: `Run a hook for Claude Code. continuo init installs the hooks; Claude Code runs them.
EVENT is one of these:

  session-start   tell Claude about pending backups, remove stale markers, print a staged recovery
  session-end     back up the transcript that the payload on stdin names
  pre-compact     back up the transcript before a compaction
  snapshot        tell Claude about a session-protocol.json and its next task
  task            tell Claude about an active or suspended task
  gate            block a compaction if the gate is strict and hasn't passed
  discard-backup  move the pending backups to the trash, for /discard-backup

A hook acts only in a project with .claude/memory: $CLAUDE_PROJECT_DIR, the folder of
the payload, or the current folder. snapshot needs only the file in the current folder,
and task only the tasks of the project.

Exit code 0, also if the hook fails: status and doctor show failures. Only gate exits
with 2, to block a compaction.`,
		ValidArgs: hookEvents(),
		// cli.Run handles the calls of Claude Code. RunE is for calls by hand, or with a flag before hook.
		RunE: func(cmd *cobra.Command, args []string) error {
			code, done := Run(cmd.Context(), env, o, append([]string{"hook"}, args...))
			switch {
			case done && code != out.ExitDone:
				return &out.Failure{Code: code, Plain: true} // the hook has printed the message
			case done:
			case len(args) > 0 && !isHook(args[0]):
				return out.Usage("There is no hook "+out.Quoted(args[0])+". See the help.", "continuo hook --help")
			default:
				return cmd.Help()
			}
			return nil
		},
	}
}

// Run runs a hook if args are those of the command hook; otherwise, done is false. The config isn't read yet:
// reading takes time and can fail. Only the backup of a headless run reads the config. If stdin is a terminal,
// Run handles no unknown hooks and no hooks with a payload. The exit code is ExitDone except for the gate hook.
func Run(ctx context.Context, env *place.Env, o *out.Output, args []string) (code int, done bool) {
	if len(args) == 0 || args[0] != "hook" {
		return out.ExitDone, false
	}
	args = args[1:]
	if slices.ContainsFunc(args, func(arg string) bool { return arg == "-h" || arg == "--help" }) {
		return out.ExitDone, false
	}
	event := ""
	if i := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") }); i >= 0 {
		event = args[i]
	}
	reads := event == hook.EventEnd || event == hook.EventCompact || event == hook.EventGate
	if o.Typing && (reads || !isHook(event)) {
		return out.ExitDone, false
	}
	done = true
	defer func() { _ = recover() }() // Handle logs its panics
	ctx, stop := holdSignals(ctx)
	defer stop()
	in := hook.In{Payload: o.Stdin, Env: env.Host.Getenv, Dir: env.Dir, Home: env.Home, Now: env.Now, Discard: func(ctx context.Context, m *backup.Memory, plan *backup.DiscardPlan) error {
		return backups.DiscardPending(ctx, env, m, plan)
	}, MarkRuns: func() bool {
		c, err := place.LoadConfig(env)
		return err == nil && c.Headless == place.HeadlessPending
	}}
	if in.Home == "" { // else ~/.claude would be the .claude of a project
		if person, err := user.Current(); err == nil {
			in.Home = person.HomeDir
		}
	}
	switch {
	case event == HookDiscard:
		ctx, cancel := context.WithTimeout(ctx, discardLimit)
		defer cancel()
		Print(o.Out, strings.Join(hook.Discard(ctx, in), "\n")+"\n")
	case event == hook.EventGate:
		code = gateHook(ctx, env, o, in)
	case event == hook.EventSnapshot:
		tell(ctx, env, o, in, event, snapshotHook)
	case event == hook.EventTask:
		tell(ctx, env, o, in, event, taskHook)
	case isHook(event):
		r := hook.Handle(ctx, event, in)
		Print(o.Out, r.Out)
		noteRun(env, r.Run)
	}
	return code, true
}

// Print prints the output of a hook without control characters. It may quote files, and both the user and the
// model see it.
func Print(o *out.Stream, text string) { o.Exact(transcript.Clean(text)) }

// tellLimit is the time limit of the hooks for snapshots and tasks. The client waits 10 s.
const tellLimit = 8 * time.Second

// tell prints a hook's text for the start of a session, and logs the run.
func tell(ctx context.Context, env *place.Env, o *out.Output, in hook.In, event string, text func(context.Context, *place.Env) (string, error)) {
	ctx, cancel := context.WithTimeout(ctx, tellLimit)
	defer cancel()
	began := env.Now()
	dir := cmp.Or(env.Host.Getenv("CLAUDE_PROJECT_DIR"), env.Dir)
	project, _ := hook.ProjectOf(dir, in.Home)
	run := hook.Run{Time: began.UTC().Truncate(time.Millisecond), Event: event, Project: cmp.Or(project, dir), Result: hook.ResultNothing}
	said, err := text(ctx, env)
	switch {
	case err != nil:
		run.Result, run.Error = hook.ResultFailed, out.Reason(err)
	case said != "":
		run.Result = hook.ResultTold
		Print(o.Out, said+"\n")
	}
	run.MS = env.Now().Sub(began).Milliseconds()
	noteRun(env, run)
}

// noteRun adds a run to the log.
func noteRun(env *place.Env, run hook.Run) {
	if dir := env.StateDir(); dir != "" {
		_ = hook.OpenRuns(filepath.Join(dir, place.HookRuns)).Append(run) // a missing log isn't an error
	}
}

// hookEvents returns the completions of EVENT.
func hookEvents() []cobra.Completion {
	return []cobra.Completion{
		cobra.CompletionWithDesc("session-start", "tell Claude about pending backups"),
		cobra.CompletionWithDesc("session-end", "back up the transcript"),
		cobra.CompletionWithDesc("pre-compact", "back up the transcript before a compaction"),
		cobra.CompletionWithDesc(hook.EventSnapshot, "tell Claude about a session-protocol.json"),
		cobra.CompletionWithDesc(hook.EventTask, "tell Claude about an active or suspended task"),
		cobra.CompletionWithDesc(hook.EventGate, "block a compaction if the gate isn't passed"),
		cobra.CompletionWithDesc(HookDiscard, "move the pending backups to the trash"),
	}
}

func isHook(event string) bool {
	return slices.Contains([]string{HookDiscard, hook.EventGate, hook.EventSnapshot, hook.EventTask}, event) || slices.Contains(hook.Events(), event)
}

// holdSignals ignores SIGHUP, SIGINT and SIGPIPE: a closed terminal or ctrl+c must not interrupt a backup.
// SIGTERM ends the context.
func holdSignals(ctx context.Context) (context.Context, func()) {
	held := make(chan os.Signal, 1) // nobody reads this
	signal.Notify(held, os.Interrupt, syscall.SIGHUP, syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	return ctx, func() {
		stop()
		signal.Stop(held)
	}
}
