package launch

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/show"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// NewCopyCmd returns the command continuo copy.
func NewCopyCmd(env *place.Env, o *out.Output) *cobra.Command {
	var latest, onlyPrint bool
	cmd := &cobra.Command{
		Use:   "copy SESSION [WHAT]",
		Short: "Copy part of a session to the clipboard",
		Long: `Copy part of a session to the clipboard of the terminal. WHAT is one of these:

  command  the shell command that resumes the session (default)
  id       its ID
  path     the path of the file
  answer   the last answer, as markdown
  code     the last code block of an answer

Without a terminal the text is printed. Inside tmux the text also becomes the newest
buffer; outside, the terminal must support OSC 52. Control characters are left out,
except with --json.

Exit codes: 1 no such answer or code, 2 several sessions match, 3 no session matches.`,
		Example: `  continuo copy --latest answer
  eval "$(continuo copy 3f9ac1e0)"`,
		ValidArgsFunction: completeCopy(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			rest, what, err := copyWhat(args, latest)
			if err != nil {
				return err
			}
			arg, err := find.NewSessionArg(cmd, rest, latest)
			if err != nil {
				return err
			}
			return copyOf(cmd.Context(), env, o, arg, what, o.Out.Terminal && !onlyPrint)
		},
	}
	find.AddLatest(cmd, &latest)
	cmd.Flags().BoolVar(&onlyPrint, "print", false, "print the text, even in a terminal")
	return cmd
}

func copyKinds() []tui.QuoteKind {
	return []tui.QuoteKind{tui.QuoteCommand, tui.QuoteID, tui.QuotePath, tui.QuoteAnswer, tui.QuoteCode}
}

func completeCopy(env *place.Env) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		at := len(args)
		if cmd.Flags().Changed("latest") {
			at++ // --latest replaces SESSION
		}
		switch at {
		case 0:
			return find.SessionsFor(cmd.Context(), env, typed)
		case 1:
			return []cobra.Completion{
				cobra.CompletionWithDesc(string(tui.QuoteCommand), "the shell command that resumes the session"),
				cobra.CompletionWithDesc(string(tui.QuoteID), "its ID"),
				cobra.CompletionWithDesc(string(tui.QuotePath), "the path of the file"),
				cobra.CompletionWithDesc(string(tui.QuoteAnswer), "the last answer, as markdown"),
				cobra.CompletionWithDesc(string(tui.QuoteCode), "the last code block of an answer"),
			}, find.CandidatesOnly
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// copyWhat splits the arguments into SESSION and WHAT. SESSION may have several words.
func copyWhat(args []string, latest bool) (rest []string, what tui.QuoteKind, err error) {
	before := 1 // arguments before WHAT
	if latest {
		before = 0
	}
	if len(args) <= before {
		if word := strings.Join(args, ""); isCopyKind(word) { // no SESSION
			return nil, "", out.Usage("copy takes the session before "+word+": an ID or ID prefix, a title, a path, or --latest.",
				"continuo copy --latest "+word)
		}
		return args, tui.QuoteCommand, nil
	}
	last := len(args) - 1
	if !isCopyKind(args[last]) {
		return nil, "", out.Usage("copy takes command, id, path, answer or code, not "+out.Quoted(args[last])+". Put a title in quotes.",
			"continuo copy --help")
	}
	return args[:last], tui.QuoteKind(args[last]), nil
}

func isCopyKind(word string) bool { return slices.Contains(copyKinds(), tui.QuoteKind(word)) }

func copyOf(ctx context.Context, env *place.Env, o *out.Output, arg find.SessionArg, what tui.QuoteKind, copies bool) error {
	row, src, err := find.Session(ctx, env, arg)
	if err != nil {
		return err
	}
	text, note, err := QuoteSession(ctx, env, src, &row, what)
	if err != nil {
		return err
	}
	notes := []string{note}
	if copies {
		var osc52 strings.Builder
		note, err := CopyText(ctx, env, text, &osc52)
		if err != nil {
			return err
		}
		o.Out.Exact(osc52.String())
		notes = append(notes, note)
	}
	switch {
	case o.JSON:
		err = o.PrintJSON(out.NewRecord().Set("what", what).Set("text", text).Set("copied", copies))
	case copies:
		o.Out.Print(o.Out.Styles.Paint(render.Good, "✓") + " " + copiedNote(what, text) + "\n")
	default: // a pipe may lead to a clipboard, so clean the text; --json has the exact text
		o.Out.Exact(transcript.Clean(text) + "\n")
	}
	for _, n := range notes {
		if n != "" && err == nil {
			o.Err.Print(o.Err.Styles.Paint(render.Warn, "△") + " " + transcript.CleanLine(n) + "\n")
		}
	}
	return err
}

// copiedNote returns the line that reports a copy: the number of lines, or a short text.
func copiedNote(what tui.QuoteKind, text string) string {
	lines := words.Counted(strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1, "line", "lines")
	switch what {
	case tui.QuoteAnswer:
		return "Sent to the clipboard: the last answer, " + lines
	case tui.QuoteCode:
		return "Sent to the clipboard: the last block of code, " + lines
	case tui.QuoteID, tui.QuoteCommand, tui.QuotePath, tui.QuoteText:
	}
	return "Sent to the clipboard: " + out.CleanPath(text)
}

// QuoteSession returns a text of a session, selected by what. The text may contain control characters. note is a hint
// for the user or "". If the session has no such text, the error has ExitNo.
func QuoteSession(ctx context.Context, env *place.Env, src place.Source, row *sessions.Row, what tui.QuoteKind) (text, note string, err error) {
	switch what {
	case tui.QuoteID, tui.QuotePath:
		text = row.Path
		if what == tui.QuoteID {
			text = row.ID
		}
		if out.CleanPath(text) != text { // the cleaned path would name another file
			return "", "", &out.Failure{What: "The file name has control characters. Print the path to a pipe instead.", Hints: []string{"continuo path " + place.ShellWord(row.ID)}}
		}
	case tui.QuoteCommand:
		return ResumeLine(env, row)
	case tui.QuoteAnswer:
		text, err = lastSaid(ctx, env, src, row, (*transcript.Message).Said, "No answer in this session has text.")
	case tui.QuoteCode:
		text, err = lastSaid(ctx, env, src, row, (*transcript.Message).Code, "No answer in this session has a code block.")
	case tui.QuoteText:
		err = fmt.Errorf("%s can't be copied from a row", what) // only for a selected message
	}
	return text, "", err
}

// lastSaid calls say for each answer, newest first, and returns the first non-empty result. Without a result, the
// error begins with none.
func lastSaid(ctx context.Context, env *place.Env, src place.Source, row *sessions.Row, say func(*transcript.Message) string, none string) (string, error) {
	switch {
	case row.Kind == sessions.KindDocument:
		return "", &out.Failure{What: "A document has no answers. Copy its path, or choose a session."}
	case row.State == sessions.StateUnreadable:
		return "", show.Unreadable(env, row)
	}
	doc, err := src.Open(ctx, *row)
	if err != nil {
		return "", cannotRead(ctx, env, row, err)
	}
	defer func() { _ = doc.Close() }()
	text, err := lastIn(ctx, doc, say)
	switch {
	case err != nil:
		return "", cannotRead(ctx, env, row, err)
	case text == "":
		return "", &out.Failure{Code: out.ExitNo, What: none + " Read the session.", Hints: []string{"continuo show " + place.ShellWord(row.ID)}}
	}
	return text, nil
}

// cannotRead returns the error for an unreadable file, or ctx.Err().
func cannotRead(ctx context.Context, env *place.Env, row *sessions.Row, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &out.Failure{What: env.Tilde(row.Path) + " cannot be read: " + out.Reason(err) + ". Check the file.", Cause: err}
}

// spoken has the methods of a document for lastIn.
type spoken interface {
	Outline() []transcript.MessageRef
	Threads() []transcript.Thread
	Messages(ctx context.Context, from, to int) ([]transcript.Message, error)
}

// lastIn calls say for each answer of the main thread, newest first. It returns the first non-empty result or "". It
// decodes one answer at a time, because conversations are long.
func lastIn(ctx context.Context, doc spoken, say func(*transcript.Message) string) (string, error) {
	refs, threads := doc.Outline(), doc.Threads()
	for i := len(refs) - 1; i >= 0; i-- {
		if refs[i].Kind != transcript.Answer || threads[refs[i].Thread].Kind != transcript.Main {
			continue
		}
		messages, err := doc.Messages(ctx, i, i+1)
		if err != nil {
			return "", err
		}
		for k := range messages {
			if text := say(&messages[k]); text != "" {
				return text, nil
			}
		}
	}
	return "", nil
}

// ResumeLine returns a POSIX shell line that resumes a session from any folder. The line sets CLAUDE_CONFIG_DIR if
// necessary. note is a warning. A path with characters that a terminal interprets is an error.
func ResumeLine(env *place.Env, row *sessions.Row) (line, note string, err error) {
	c, err := place.LoadConfig(env)
	if err != nil {
		return "", "", err
	}
	dir := place.ConfigDirOf(row)
	switch {
	case row.Kind != sessions.KindSession:
		return "", "", &out.Failure{What: "A " + string(row.Kind) + " cannot be resumed. Choose a session."}
	case row.Has(sessions.FlagNotResumable), !sessions.IsUUID(row.ID):
		return "", "", &out.Failure{What: "The name of " + env.Tilde(row.Path) + " isn't a session ID, so claude cannot resume it. It can only be read."}
	case row.Has(sessions.FlagBackupOnly):
		return "", "", &out.Failure{What: "Only a copy of this session is left, so claude cannot resume it. continuo can still show it."}
	case row.State == sessions.StateEmpty, row.State == sessions.StateStub:
		return "", "", &out.Failure{What: "This session has no messages, so there is nothing to resume. Start claude in its folder instead."}
	case out.CleanPath(row.Workdir) != row.Workdir, out.CleanPath(dir) != dir:
		return "", "", &out.Failure{What: "The folder name has control characters. Resume it from here instead.", Hints: []string{"continuo resume " + row.ID}}
	}
	words := append(append([]string{c.ClaudeCommand}, c.ClaudeArgs...), "--resume", row.ID)
	for i, w := range words {
		words[i] = place.ShellWord(w)
	}
	line = strings.Join(words, " ")
	if dir != "" {
		in := *row
		in.Dir = dir
		line = env.ConfigPrefix(&in) + line
	}
	var notes []string
	switch {
	case row.Live != nil:
		notes = append(notes, fmt.Sprintf("Open in process %d. Close it there first: two writers hide each other's messages.", row.Live.PID))
	case row.Has(sessions.FlagLive):
		notes = append(notes, "The session is open elsewhere. Close it there first: two writers hide each other's messages.")
	}
	if dir == "" {
		notes = append(notes, "Its file is in no Claude config directory, so claude may not find it.")
	}
	if filepath.IsAbs(row.Workdir) {
		line = "cd " + place.ShellWord(row.Workdir) + " && " + line
	} else {
		notes = append(notes, "The transcript doesn't name its folder. Run the command there.")
	}
	return line, strings.Join(notes, " "), nil
}
