package ledgers

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	// argumentMost is the maximum length of an argument on Linux: MAX_ARG_STRLEN (128 KiB) without the NUL.
	argumentMost = 128<<10 - 1
	// tmuxMost is the maximum length of a prompt for tmux, in bytes. tmux accepts commands of up to 16 KB.
	tmuxMost = 12 << 10
	// shownPrompt is the width of the prompt in the printed command line, in cells.
	shownPrompt = 60
)

// CopyRecovered copies a recovery to the clipboard.
func CopyRecovered(ctx context.Context, env *place.Env, o *out.Output, r *recovery.Result) error {
	note, err := launch.CopyBeside(ctx, env, o, r.Text, "Pipe the text, or write it with --to FILE.", "recover")
	if err != nil {
		return err
	}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	if o.JSON {
		return o.PrintJSON(recoveredRecord(r).Set("copied", true))
	}
	sayRecovered(o, r, "Sent to the clipboard.")
	return nil
}

// saveRecovered writes a recovery to a new file.
func saveRecovered(env *place.Env, o *out.Output, r *recovery.Result, path string) error {
	if err := newFileFailure(env, path, publishFile(path, []byte(r.Text))); err != nil {
		return err
	}
	if o.JSON {
		return o.PrintJSON(recoveredRecord(r).Set("file", path))
	}
	sayRecovered(o, r, "Written to "+env.Tilde(path)+".")
	return nil
}

// ExportRecovered writes a recovery to a new file and to the journal. The result but is a warning if undo isn't
// possible.
func ExportRecovered(ctx context.Context, env *place.Env, r *recovery.Result, path string) (but string, err error) {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	done, err := writing.Do(ctx, env, func(context.Context) (change.Change, error) {
		return change.Change{
			Kind: string(journal.Note), What: "Wrote level " + LevelName(r.Level) + " of the ledger into " + name, Where: []string{dir}, Unkept: true,
			Ops: []change.Op{{Verb: change.Make, Dir: dir, Name: name, Text: []byte(r.Text), Mode: 0o600, Hidden: true}},
		}, nil
	})
	return writing.LostBy(&done), writing.Failure(env, err, "a recovery", func(err error) error { return newFileFailure(env, path, err) })
}

// newFileFailure returns the message for an error of a new file, and nil for nil.
func newFileFailure(env *place.Env, path string, err error) error {
	_, taken := errors.AsType[*change.TakenError](err)
	info, missing := os.Stat(path)
	switch taken = taken || errors.Is(err, fs.ErrExist); {
	case err == nil:
		return nil
	case taken && missing == nil && info.IsDir():
		return &out.Failure{What: env.Tilde(path) + " is a folder. Name a new file in it.", Cause: err}
	case taken:
		return &out.Failure{What: env.Tilde(path) + " already exists and isn't overwritten. Name a new file.", Cause: err}
	}
	return &out.Failure{What: env.Tilde(path) + " could not be written: " + out.Reason(err) + ". No partial file was left.", Cause: err}
}

// publishFile atomically writes a new file that only its owner can read.
func publishFile(path string, text []byte) error {
	root, err := disk.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	temp, err := root.CreateHidden(".", 0o600)
	if err != nil {
		return err
	}
	defer temp.Drop()
	if _, err := temp.Write(text); err != nil {
		return err
	}
	if err := temp.Publish(filepath.Base(path)); err != nil {
		return err
	}
	_ = root.SyncDir(".") // otherwise, a power failure could lose the file
	return nil
}

// startRecovered starts a client with a recovery as the first prompt.
func startRecovered(ctx context.Context, env *place.Env, o *out.Output, r *recovery.Result, root string) error {
	if o.JSON {
		return out.Usage("--new starts claude in a terminal and prints no JSON. Leave out one of the two.", "continuo recover --help")
	}
	l, err := PlanRecovered(ctx, env, r, root)
	if err != nil {
		return err
	}
	if l.In == resume.WhereHere && !o.Typing {
		return &out.Failure{What: "claude needs a terminal, and this isn't one. Run it in a terminal, or print the recovery without --new."}
	}
	out, err := LaunchRecovered(ctx, env, o, l)
	if err != nil {
		return err
	}
	sayRecovered(o, r, out.Said)
	if out.Run != nil {
		return out.Run.Run()
	}
	return nil
}

// recoveredPrompt returns a recovery as a first prompt. It begins with a word, so it isn't a flag or a command.
// It has no control characters: an argument can't contain NUL.
func recoveredPrompt(r *recovery.Result) string {
	from := "the ledger of this project"
	if len(r.From) > 0 {
		from = strings.Join(r.From, ", ")
	}
	if r.Level != 0 { // task checkpoints have no level
		from += " (level " + LevelName(r.Level) + ")"
	}
	return transcript.Clean("This is recovered from " + from + ":\n\n" + r.Text)
}

// PlanRecovered plans the start of a client with a recovery as an argument.
func PlanRecovered(ctx context.Context, env *place.Env, r *recovery.Result, root string) (*resume.Launch, error) {
	prompt := recoveredPrompt(r)
	if len(prompt) > argumentMost {
		return nil, &out.Failure{
			What: "The recovery has " + words.Size(int64(len(prompt))) + "; a program argument has at most 128 KB. Reduce it with --max-tokens, or write it with --to FILE and let claude read the file.",
		}
	}
	row := sessions.Row{Kind: sessions.KindSession}
	row.Project, row.Workdir, row.Name = root, root, place.BaseName(root)
	if len(env.ClaudeDirs) > 0 {
		row.Dir = env.Abs(env.ClaudeDirs[0])
	}
	ask := resume.Ask{New: true, Known: true}
	if env.Host.Tmux().Inside && !env.Host.Tmux().Popup && len(prompt) > tmuxMost {
		ask.In = resume.WhereHere
	}
	plan, err := launch.PlanResume(ctx, env, row, ask)
	if err != nil {
		return nil, err
	}
	l := plan.Launch
	switch {
	case l == nil:
		return nil, &out.Failure{What: plan.Findings[0].What + " " + plan.Findings[0].Detail}
	case l.In != resume.WhereHere && len(prompt) > tmuxMost:
		return nil, &out.Failure{What: "The recovery has " + words.Size(int64(len(prompt))) + "; in a tmux popup at most 12 KB can be passed. Start it outside of the popup, or reduce it with --max-tokens."}
	}
	// The prompt is first: an option with several values would take it as a value.
	l.Argv = slices.Insert(slices.Clone(l.Argv), 1, prompt)
	return l, nil
}

// LaunchRecovered carries out the start. It first prints the shell command with a cut prompt.
func LaunchRecovered(ctx context.Context, env *place.Env, o *out.Output, l *resume.Launch) (tui.Outcome, error) {
	printed, err := launch.Start(ctx, env, o, l)
	if run, ok := printed.Run.(*launch.Takeover); ok {
		shown := *l
		shown.Argv = slices.Clone(l.Argv)
		shown.Argv[1] = words.Cut(out.OneLine(shown.Argv[1]), shownPrompt)
		run.Line = launch.Line(env, &shown)
	}
	return printed, err
}

// stagedCommand prints the staged recovery, or removes it.
func stagedCommand(ctx context.Context, env *place.Env, o *out.Output, ask *RecoverAsk) error {
	if err := place.LookFailure(env, ask.Dir, survey.CheckFolder(ctx, ask.Dir)); err != nil {
		return err
	}
	root := ask.Dir
	if p, err := ledger.Find(place.RealPath(root), env.LedgerEnv()); err == nil {
		root = p.Root
	}
	if ask.unstage {
		return backups.StageCommand(ctx, env, o, ask.write, root, "", ask.line)
	}
	s := &backups.Staging{Project: survey.MemoryOf(ctx, root, env.Home)}
	if s.Project != "" {
		if err := backups.ReadStaged(env, s); err != nil {
			return err
		}
	}
	switch {
	case s.There.Text == "" && s.Was != nil:
		return &out.Failure{Code: out.ExitNone, What: "The recovery staged in " + env.Tilde(s.Project) + " is old or damaged, so no session start prints it. Remove it.", Hints: []string{"continuo recover --unstage"}}
	case s.There.Text == "":
		return &out.Failure{Code: out.ExitNone, What: "No recovery is staged in " + env.Tilde(root) + "."}
	case o.JSON:
		return o.PrintJSON(struct {
			writing.Staged
			Text string `json:"text"`
		}{writing.Staged{Path: backup.StagedPath(s.Project), At: out.Time(s.There.At), Tokens: recovery.Tokens(s.There.Text)}, s.There.Text})
	}
	text := s.There.Text
	if o.Out.Terminal {
		text = transcript.Clean(text)
	}
	o.Out.Exact(strings.TrimSuffix(text, "\n") + "\n")
	o.Err.Print(o.Err.Styles.Paint(render.Muted, "Staged "+env.Moment(s.There.At)+", "+backups.AboutTokens(recovery.Tokens(text))+".") + "\n")
	return nil
}

// RecoveredName returns a name for the new file of a recovery.
func RecoveredName(env *place.Env, r *recovery.Result) string {
	return filepath.Join(env.Dir, "recovery-"+strconv.Itoa(int(r.Level))+"-"+env.Now().Format("2006-01-02-150405")+".md")
}
