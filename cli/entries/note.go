// Package entries implements the commands that write a ledger: note, notes lint, delta and heal.
package entries

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// NewNoteCmd returns the command continuo note.
func NewNoteCmd(env *place.Env, o *out.Output) *cobra.Command {
	return find.NewGroupCmd(
		&cobra.Command{
			Use:   "note",
			Short: "Write a decision, question, next step or state of the work",
			Long: `Write into the ledger of this project: into NOTES.md, or as a comment on a bead. An
entry goes into the section for its kind, in the format of the entries there; state and
bead replace the previous value. No other byte changes. If TEXT is -, it is read from a
pipe. continuo undo removes an entry, but not a comment.

Exit codes: 1 you said no, or something is missing or wrong; 2 an error, or there is no
terminal to ask in.`,
			Example: `  continuo note decision "Leeway is 30 s" --evidence "src/a.go:12 | func Expired("
  continuo note next "Cover the guest tokens"`,
		},
		newNoteKindCmd(env, o, notes.EntryDecision, "decision TITLE", "Write a decision into the Decision Log", `
A PLACE is PATH:LINE or PATH:FROM-TO, with a quote after it: src/a.go:12 | func Expired(.
Without a quote the line itself is quoted. A quote that isn't in the code is refused.`),
		newNoteKindCmd(env, o, notes.EntryQuestion, "question TEXT", "Write an open question into the Pending Questions", ""),
		newNoteKindCmd(env, o, notes.EntryNext, "next TEXT", "Write a next step into the Active Sub-Goals", ""),
		newNoteKindCmd(env, o, notes.EntryHandoff, "handoff", "Write the end of a session into the Session Continuity", ""),
		newNoteKindCmd(env, o, notes.EntryScenario, "scenario NAME", "Write a scenario into the Test Scenarios", ""),
		newNoteKindCmd(env, o, notes.EntryState, "state TEXT", "Write the Reasoning State into the Session Continuity", ""),
		newNoteKindCmd(env, o, notes.EntryBead, "bead ID [TITLE]", "Write the Current Bead into the Session Continuity", ""),
		newNoteKindCmd(env, o, notes.EntryReference, "reference PLACE PURPOSE", "Write a place in the code into the Lightweight Identifiers", `
A PLACE is PATH:LINE or PATH:FROM-TO. A place that isn't in the code is refused.`),
	)
}

// NoteAsk has the arguments of continuo note.
type NoteAsk struct {
	Dir        string // the folder of the project
	Entry      notes.Entry
	places     []string // the evidence as typed
	NoEvidence bool
	Bead       bool   // write a comment of the bead instead, if br is installed
	line       string // the command line
	Undo       string // the undo command
}

// newNoteKindCmd returns the command for a kind of entry. The help is short followed by more.
func newNoteKindCmd(env *place.Env, o *out.Output, kind notes.EntryKind, use, short, more string) *cobra.Command {
	ask := NoteAsk{Entry: notes.Entry{Kind: kind}}
	var w writing.Flags
	var project string
	e := &ask.Entry
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  short + " of NOTES.md.\n" + more,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := emptyFlag(cmd); err != nil {
				return err
			}
			var err error
			if ask.Dir, err = find.FolderAsked(env, project); err != nil {
				return err
			}
			text := strings.Join(args, " ")
			switch kind {
			case notes.EntryDecision:
				e.Title = text
			case notes.EntryHandoff:
				if len(args) > 0 {
					return out.Usage("A handoff takes only flags, not "+out.Quoted(args[0])+".", noteHint)
				}
			case notes.EntryQuestion, notes.EntryNext, notes.EntryScenario, notes.EntryState, notes.EntryBead:
				e.Text = text
			case notes.EntryReference:
				if len(args) > 0 {
					ask.places, e.Text = args[:1], strings.Join(args[1:], " ")
				}
			}
			if err := PipedText(o, &e.Title, &e.Text, &e.Rationale, &e.Expected); err != nil {
				return err
			}
			ask.Bead = e.Bead != ""
			ask.line, ask.Undo = writing.CommandLine(cmd, args), env.UndoLater()
			return runNote(cmd.Context(), env, o, &ask, w)
		},
	}
	f := cmd.Flags()
	switch kind {
	case notes.EntryDecision:
		f.StringVar(&e.Text, "decision", "", "the full decision as `TEXT`, if it is longer than the title")
		f.StringVar(&e.Rationale, "rationale", "", "why, as `TEXT`")
		f.StringArrayVar(&ask.places, "evidence", nil, "`PLACE` in the code that backs the decision; repeat for several")
		f.StringArrayVar(&e.Scenarios, "scenario", nil, "a way to test it, as `TEXT`; repeat for several")
		f.BoolVar(&ask.NoEvidence, "no-evidence", false, "say that no code backs the decision")
	case notes.EntryHandoff:
		f.StringVar(&e.Session, "session", "", "`ID` of the session that ends")
		f.StringVar(&e.Trajectory, "trajectory", "", "`REF` of its log: impl-11-21.jsonl:span-abc")
		f.StringVar(&e.Ratio, "ratio", "", "`RATIO` of grounded claims: 0.97; a ratio below the limit in the config is refused")
		f.StringVar(&e.NotesRef, "notes-ref", "", "`REF` to lines of NOTES.md (default those of Session Continuity)")
	case notes.EntryScenario:
		f.StringVar(&e.Type, "type", "", "`TYPE` of the scenario: happy_path, edge_case or error_handling")
		f.StringVar(&e.Expected, "expected", "", "the expected result, as `TEXT`")
		find.CompleteFlag(cmd, "type", ScenarioTypes()...)
	case notes.EntryQuestion, notes.EntryNext, notes.EntryState, notes.EntryBead, notes.EntryReference:
	}
	if !isContext(kind) {
		f.StringVar(&e.Bead, "bead", "", "write a comment on the bead `ID`, through br; without br, to NOTES.md")
	}
	find.AddProject(cmd, &project)
	writing.AddFlags(cmd, &w)
	return cmd
}

// isContext reports whether an entry is about the session, so it can't be a comment of a bead.
func isContext(kind notes.EntryKind) bool {
	return kind == notes.EntryState || kind == notes.EntryBead || kind == notes.EntryReference
}

const noteHint = "continuo note --help"

// ScenarioTypes returns the scenario types of spec 002.
func ScenarioTypes() []string { return []string{"happy_path", "edge_case", "error_handling"} }

// emptyFlag returns an error if a flag is empty, usually from an unset variable.
func emptyFlag(cmd *cobra.Command) error {
	for _, name := range []string{"bead", "project", "session", "trajectory", "ratio", "notes-ref", "type"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return out.Usage("--"+name+" needs a value. Is a variable unset?", noteHint)
		}
	}
	return nil
}

// pipedMax is the maximum length of a text from a pipe, in bytes.
const pipedMax = 64 << 10

// PipedText replaces a text "-" by stdin. At most one text may be "-".
func PipedText(o *out.Output, texts ...*string) error {
	isPipe := func(s *string) bool { return *s == "-" }
	i := slices.IndexFunc(texts, isPipe)
	switch {
	case i < 0:
		return nil
	case slices.ContainsFunc(texts[i+1:], isPipe):
		return out.Usage("Only one text can be read from a pipe.", noteHint)
	case o.Typing:
		return out.Usage(`"-" reads the text from a pipe, but stdin is a terminal. Write the text as an argument.`, noteHint)
	}
	text, err := io.ReadAll(io.LimitReader(o.Stdin, pipedMax+1))
	switch {
	case err != nil:
		return &out.Failure{What: "The text could not be read: " + out.Reason(err) + ". Nothing was written.", Cause: err}
	case len(text) > pipedMax:
		return &out.Failure{What: "The text has more than 64 kB. Write a document and note its path."}
	}
	*texts[i] = strings.TrimSpace(string(text))
	return nil
}

// runNote writes an entry after the user confirms.
func runNote(ctx context.Context, env *place.Env, o *out.Output, ask *NoteAsk, w writing.Flags) error {
	n, err := LookNote(ctx, env, ask)
	if err != nil {
		return err
	}
	p := &writing.Plan{Line: ask.line, Parts: NotePlan(env, n), Report: writing.Report{Action: "note", Note: n.report()}}
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		but, err := WriteNote(ctx, env, n)
		if but != "" {
			p.Report.Problems = append(p.Report.Problems, but)
		}
		if err != nil {
			return nil, err
		}
		p.Report.Note = n.report()
		messages := []string{n.Said()}
		if !n.Bead {
			messages = append(messages, "To undo: "+env.Command("undo", n.id))
		}
		return messages, nil
	})
}
