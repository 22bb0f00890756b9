package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
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
	// argumentMost is the longest argument of a program on Linux (MAX_ARG_STRLEN), with the NUL behind it.
	argumentMost = 128<<10 - 1
	// tmuxMost is what tmux takes of a command: its messages have 16 KB, and the rest of the command needs room.
	tmuxMost = 12 << 10
	// shownPrompt is how much of a prompt the line shows that is printed before a client starts.
	shownPrompt = 60
)

// copyRecovered puts a recovery on the clipboard of the terminal.
func (d *deps) copyRecovered(ctx context.Context, g *globals, r *recovery.Result) error {
	note, err := d.copyBeside(ctx, g, r.Text, "Pipe the text, or write it with --to FILE.", "recover")
	if err != nil {
		return err
	}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	if g.json {
		out := newRecoveredJSON(r)
		out.Copied = true
		return d.printJSON(out)
	}
	d.sayRecovered(r, "Sent to the clipboard.")
	return nil
}

// saveRecovered writes a recovery into a new file.
func (d *deps) saveRecovered(g *globals, r *recovery.Result, path string) error {
	if err := d.newFileFailure(path, publishFile(path, []byte(r.Text))); err != nil {
		return err
	}
	if g.json {
		out := newRecoveredJSON(r)
		out.File = path
		return d.printJSON(out)
	}
	d.sayRecovered(r, "Written to "+d.tilde(path)+".")
	return nil
}

// exportRecovered writes a recovery into a new file that nobody has named, so it can be taken back. but says that it cannot.
func (d *deps) exportRecovered(ctx context.Context, r *recovery.Result, path string) (but string, err error) {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	done, err := d.planned(ctx, func(context.Context) (change.Change, error) {
		return change.Change{
			Kind: string(journal.Note), What: "Wrote level " + levelName(r.Level) + " of the ledger into " + name, Where: []string{dir}, Unkept: true,
			Ops: []change.Op{{Verb: change.Make, Dir: dir, Name: name, Text: []byte(r.Text), Mode: 0o600, Hidden: true}},
		}, nil
	})
	return lostBy(&done), d.actFailure(err, "a recovery", func(err error) error { return d.newFileFailure(path, err) })
}

// newFileFailure says why a new file was not written.
func (d *deps) newFileFailure(path string, err error) error {
	_, taken := errors.AsType[*change.TakenError](err)
	info, missing := os.Stat(path)
	switch taken = taken || errors.Is(err, fs.ErrExist); {
	case err == nil:
		return nil
	case taken && missing == nil && info.IsDir():
		return &failure{what: d.tilde(path) + " is a folder. Name a new file in it.", cause: err}
	case taken:
		return &failure{what: d.tilde(path) + " is there already, and is not written over. Name a new file.", cause: err}
	}
	return &failure{what: d.tilde(path) + " could not be written: " + reason(err) + ". Nothing is left of it.", cause: err}
}

// publishFile writes a file that is not there yet, for its owner alone, whole or not at all.
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
	_ = root.SyncDir(".") // it has its name, and is gone after a power cut at worst
	return nil
}

// startRecovered starts a client in a project with a recovery as its first prompt.
func (d *deps) startRecovered(ctx context.Context, g *globals, r *recovery.Result, root string) error {
	if g.json {
		return usage("--new starts claude in a terminal and prints no JSON. Leave out one of the two.", "continuo recover --help")
	}
	l, err := d.planRecovered(ctx, g, r, root)
	if err != nil {
		return err
	}
	if l.In == resume.WhereHere && !d.typing {
		return &failure{what: "claude needs a terminal, and this is none. Run it in one, or print the recovery without --new."}
	}
	out, err := d.launchRecovered(ctx, l)
	if err != nil {
		return err
	}
	d.sayRecovered(r, out.Said)
	if out.Run != nil {
		return out.Run.Run()
	}
	return nil
}

// recoveredPrompt is a recovery as the first prompt of a session. It does not begin with what the client would take for
// a flag or a command of its own, and it is clean: no program can be started with a NUL byte.
func recoveredPrompt(r *recovery.Result) string {
	from := "the ledger of this project"
	if len(r.From) > 0 {
		from = strings.Join(r.From, ", ")
	}
	return transcript.Clean("This is recovered from " + from + " (level " + levelName(r.Level) + "):\n\n" + r.Text)
}

// planRecovered plans the start of a client with a recovery, as one argument.
func (d *deps) planRecovered(ctx context.Context, g *globals, r *recovery.Result, root string) (*resume.Launch, error) {
	prompt := recoveredPrompt(r)
	if len(prompt) > argumentMost {
		return nil, &failure{
			what: "This has " + render.Size(int64(len(prompt))) + ", and a program is started with 128 KB at most. Take less with --max-tokens, or write it with --to FILE and have claude read that.",
		}
	}
	row := sessions.Row{Kind: sessions.KindSession}
	row.Project, row.Workdir, row.Name = root, root, baseName(root)
	if len(g.claudeDirs) > 0 {
		row.Dir = d.abs(g.claudeDirs[0])
	}
	ask := resume.Ask{New: true, Known: true}
	if d.host.Tmux().Inside && !d.host.Tmux().Popup && len(prompt) > tmuxMost {
		ask.In = resume.WhereHere
	}
	plan, err := d.planResume(ctx, row, ask)
	if err != nil {
		return nil, err
	}
	l := plan.Launch
	switch {
	case l == nil:
		return nil, &failure{what: plan.Findings[0].What + " " + plan.Findings[0].Detail}
	case l.In != resume.WhereHere && len(prompt) > tmuxMost:
		return nil, &failure{what: "This has " + render.Size(int64(len(prompt))) + ", and tmux takes 12 KB. Start it outside of the popup, or take less with --max-tokens."}
	}
	l.Argv = slices.Insert(slices.Clone(l.Argv), 1, prompt) // first: behind an option that takes many values it would be one
	return l, nil
}

// launchRecovered starts what was planned. The line that is shown before has only the beginning of the prompt.
func (d *deps) launchRecovered(ctx context.Context, l *resume.Launch) (tui.Outcome, error) {
	out, err := d.launch(ctx, l)
	if run, ok := out.Run.(*takeover); ok {
		shown := *l
		shown.Argv = slices.Clone(l.Argv)
		shown.Argv[1] = render.Cut(oneLine(shown.Argv[1]), shownPrompt)
		run.line = d.launchLine(&shown)
	}
	return out, err
}

// stagedCommand prints what is staged in a project, or takes it away.
func (d *deps) stagedCommand(ctx context.Context, g *globals, ask *recoverAsk) error {
	if err := d.lookFailure(ask.dir, survey.CheckFolder(ctx, ask.dir)); err != nil {
		return err
	}
	root := ask.dir
	if p, err := ledger.Find(realPath(root), d.ledgerEnv()); err == nil {
		root = p.Root
	}
	if ask.unstage {
		return d.stageCommand(ctx, g, ask.write, root, "", ask.line)
	}
	s := &staging{project: survey.MemoryOf(ctx, root, d.home)}
	if s.project != "" {
		if err := d.readStaged(s); err != nil {
			return err
		}
	}
	switch {
	case s.there.Text == "" && s.was != nil:
		return &failure{code: ExitNone, what: "What is staged in " + d.tilde(s.project) + " is old or damaged, and no start prints it. Take it away.", hints: []string{"continuo recover --unstage"}}
	case s.there.Text == "":
		return &failure{code: ExitNone, what: "Nothing is staged in " + d.tilde(root) + "."}
	case g.json:
		return d.printJSON(struct {
			stagedJSON
			Text string `json:"text"`
		}{stagedJSON{backup.StagedPath(s.project), stamp(s.there.At), recovery.Tokens(s.there.Text)}, s.there.Text})
	}
	text := s.there.Text
	if d.out.terminal {
		text = transcript.Clean(text)
	}
	d.out.exact(strings.TrimSuffix(text, "\n") + "\n")
	d.err.print(d.err.styles.Paint(render.Muted, "Staged "+d.moment(s.there.At)+", "+aboutTokens(recovery.Tokens(text))+".") + "\n")
	return nil
}

// recoveredName is the name of a new file for a recovery that has none.
func (d *deps) recoveredName(r *recovery.Result) string {
	return filepath.Join(d.dir, "recovery-"+strconv.Itoa(int(r.Level))+"-"+d.now().Format("2006-01-02-150405")+".md")
}
