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
		"note", helpNote, newNoteKindCmd(env, o, notes.EntryDecision), newNoteKindCmd(env, o, notes.EntryQuestion), newNoteKindCmd(env, o, notes.EntryNext),
		newNoteKindCmd(env, o, notes.EntryHandoff), newNoteKindCmd(env, o, notes.EntryScenario),
	)
}

// NoteAsk holds the arguments of note.
type NoteAsk struct {
	Dir        string // folder of the project
	Entry      notes.Entry
	places     []string // evidence as typed
	NoEvidence bool
	Bead       bool   // write a comment of the bead if br is installed
	line       string // the command line of this run
	Undo       string // command that undoes it
}

func newNoteKindCmd(env *place.Env, o *out.Output, kind notes.EntryKind) *cobra.Command {
	ask := NoteAsk{Entry: notes.Entry{Kind: kind}}
	var w writing.Flags
	var project string
	e := &ask.Entry
	cmd := &cobra.Command{
		Use:  string(kind),
		Long: helpOfNote(kind),
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
					return out.Usage("A handoff takes flags only, and not "+out.Quoted(args[0])+" alone.", noteHint)
				}
			case notes.EntryQuestion, notes.EntryNext, notes.EntryScenario:
				e.Text = text
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
		f.StringVar(&e.Text, "decision", "", "")
		f.StringVar(&e.Rationale, "rationale", "", "")
		f.StringArrayVar(&ask.places, "evidence", nil, "")
		f.StringArrayVar(&e.Scenarios, "scenario", nil, "")
		f.BoolVar(&ask.NoEvidence, "no-evidence", false, "")
	case notes.EntryHandoff:
		f.StringVar(&e.Session, "session", "", "")
		f.StringVar(&e.Trajectory, "trajectory", "", "")
		f.StringVar(&e.Ratio, "ratio", "", "")
		f.StringVar(&e.NotesRef, "notes-ref", "", "")
	case notes.EntryScenario:
		f.StringVar(&e.Type, "type", "", "")
		f.StringVar(&e.Expected, "expected", "", "")
	case notes.EntryQuestion, notes.EntryNext:
	}
	f.StringVar(&e.Bead, "bead", "", "")
	f.StringVar(&project, "project", "", "")
	writing.AddFlags(cmd, &w)
	return cmd
}

const noteHint = "continuo note --help"

// ScenarioTypes returns the scenario types of spec 002.
func ScenarioTypes() []string { return []string{"happy_path", "edge_case", "error_handling"} }

// emptyFlag returns an error for a flag with an empty value, usually an unset variable.
func emptyFlag(cmd *cobra.Command) error {
	for _, name := range []string{"bead", "project", "session", "trajectory", "ratio", "notes-ref", "type"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return out.Usage("--"+name+" needs a value. Is a variable unset?", noteHint)
		}
	}
	return nil
}

// pipedMax is the maximum length of a text from a pipe in bytes.
const pipedMax = 64 << 10

// PipedText replaces the text "-" with the content of stdin. At most one text can be "-".
func PipedText(o *out.Output, texts ...*string) error {
	isPipe := func(s *string) bool { return *s == "-" }
	i := slices.IndexFunc(texts, isPipe)
	switch {
	case i < 0:
		return nil
	case slices.ContainsFunc(texts[i+1:], isPipe):
		return out.Usage("One text can be read from a pipe, not two.", noteHint)
	case o.Typing:
		return out.Usage("- reads the text from a pipe, and stdin is a terminal. Write the text as an argument.", noteHint)
	}
	text, err := io.ReadAll(io.LimitReader(o.Stdin, pipedMax+1))
	switch {
	case err != nil:
		return &out.Failure{What: "The text could not be read: " + out.Reason(err) + ". Nothing was written.", Cause: err}
	case len(text) > pipedMax:
		return &out.Failure{What: "The text has more than 64 kB. Write a document, and note where it is."}
	}
	*texts[i] = strings.TrimSpace(string(text))
	return nil
}

// runNote writes an entry after confirmation.
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
		said := []string{n.Said()}
		if !n.Bead {
			said = append(said, "To undo: "+env.Command("undo", n.id))
		}
		return said, nil
	})
}
