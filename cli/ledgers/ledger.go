// Package ledgers implements the commands that read a ledger: ledger, beads, gate, trajectory, recover, start,
// fork-check and context.
package ledgers

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// NewLedgerCmd returns the command continuo ledger.
func NewLedgerCmd(env *place.Env, o *out.Output) *cobra.Command {
	var section, project string
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "Show the notes and beads that a project keeps after /clear",
		Long: `Show the notes and beads that a project keeps after /clear: where you were, the outline of NOTES.md with the
tokens of each section, the newest decisions with their evidence, open questions,
identifiers, and beads. Evidence and identifiers are looked up in the code. Where sources
disagree, code wins over beads, beads over NOTES.md, NOTES.md over the trajectory.

Exit codes: 1 there is no ledger, 2 it can't be read, 3 no such section.`,
		Example: `  continuo ledger
  continuo ledger --section "Decision Log"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo ledger --help"
			switch f := cmd.Flags(); {
			case len(args) > 0:
				return out.Usage("ledger takes no argument "+out.Quoted(args[0])+". Name another project with --project PATH.", hint)
			case f.Changed("section") && section == "", f.Changed("project") && project == "":
				return out.Usage("--section and --project can't be empty. Is a variable unset?", hint)
			}
			dir, err := find.FolderAsked(env, project)
			if err != nil {
				return err
			}
			return ledgerCommand(cmd.Context(), env, o, dir, section)
		},
	}
	cmd.Flags().StringVar(&section, "section", "", "print the section of NOTES.md whose title starts with `NAME`")
	find.AddProject(cmd, &project)
	return cmd
}

// ledgerCommand prints a ledger, or a section of NOTES.md.
func ledgerCommand(ctx context.Context, env *place.Env, o *out.Output, dir, section string) error {
	whole := section == ""
	l, err := place.LookLedger(ctx, env, dir, survey.LedgerHow{Identifiers: whole, Evidence: whole, Staged: true, Truth: whole})
	switch {
	case err != nil:
		return err
	case !whole && l.Notes != nil:
		return ledgerSection(o, &l, section)
	case l.None, !whole && l.Trouble == "":
		return place.NoLedger(env, &l)
	}
	if whole {
		err = ledgerRecord(&l).Print(o, func() string { return ledgerText(env, o, &l) })
	}
	if err == nil && l.Trouble != "" {
		err = &out.Failure{What: l.Trouble}
	}
	return err
}

// ledgerSection prints the sections that match a name.
func ledgerSection(o *out.Output, l *survey.Ledger, name string) error {
	found := sectionsNamed(l.Notes, name)
	if len(found) == 0 {
		f := &out.Failure{Code: out.ExitNone, What: "NOTES.md has no section " + out.Quoted(name) + ". List the sections.", Hints: []string{"continuo ledger"}}
		for i := range l.Notes.Sections {
			if s := &l.Notes.Sections[i]; s.Level <= 2 && len(f.Facts) < find.CandidatesMax {
				f.Facts = append(f.Facts, transcript.CleanLine(s.Title))
			}
		}
		return f
	}
	if o.JSON {
		r := out.NewRecord()
		sections := r.List("sections")
		for _, i := range found {
			putSection(sections.Add(), l.Notes, i).Set("markdown", string(l.Notes.Markdown(i)))
		}
		return o.PrintJSON(r)
	}
	for _, i := range found {
		o.Out.Print(transcript.Clean(strings.TrimRight(string(l.Notes.Markdown(i)), "\r\n")) + "\n")
	}
	return nil
}

// sectionsNamed returns the indexes of the sections with a title, in any case, else of those whose titles begin
// with name. It omits their subsections.
func sectionsNamed(n *notes.Notes, name string) []int {
	name = strings.ToLower(strings.TrimSpace(strings.TrimLeft(name, "# ")))
	title := func(i int) string { return strings.ToLower(transcript.CleanLine(n.Sections[i].Title)) }
	for _, fits := range []func(i int) bool{
		func(i int) bool { return title(i) == name },
		func(i int) bool { return strings.HasPrefix(title(i), name) },
	} {
		var found []int
		end := 0
		for i := range n.Sections {
			if n.Sections[i].Start >= end && fits(i) {
				found, end = append(found, i), n.Sections[i].End
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// ledgerText formats a ledger for a terminal.
func ledgerText(env *place.Env, std *out.Output, l *survey.Ledger) string {
	o := ledgerlines.LedgerOptions{Width: std.Out.Page(), Styles: std.Out.Styles, Now: env.Now(), Where: env.Tilde(l.Project.Notes)}
	return out.Page(ledgerlines.DrawLedger(l, o))
}

// ledgerProblems returns a ledger's problems as messages.
func ledgerProblems(l *survey.Ledger) []string {
	var list []string
	for _, s := range append([]string{l.Trouble, l.BeadsBad}, l.Problems...) {
		if s != "" {
			list = append(list, s)
		}
	}
	return list
}
