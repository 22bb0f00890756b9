// Package ledgers implements the commands that read a ledger: ledger, beads, gate, trajectory, recover, start,
// fork-check and context.
package ledgers

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// NewLedgerCmd returns the command continuo ledger.
func NewLedgerCmd(env *place.Env, o *out.Output) *cobra.Command {
	var section, project string
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "Show what a project keeps across /clear",
		Long: `Show what a project keeps across /clear: where you were, the outline of NOTES.md with the
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
				return out.Usage("ledger takes no "+out.Quoted(args[0])+" alone. Name another project with --project PATH.", hint)
			case f.Changed("section") && section == "", f.Changed("project") && project == "":
				return out.Usage("--section and --project take something, and this is empty. Is a variable not set?", hint)
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

// ledgerCommand prints the ledger of a folder or one of its sections.
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
	switch {
	case !whole:
	case o.JSON:
		err = o.PrintJSON(newLedgerJSON(&l))
	case o.Out.Terminal:
		o.Out.Print(ledgerText(env, o, &l))
	default:
		o.Out.Print(ledgerPiped(&l))
	}
	if err == nil && l.Trouble != "" {
		err = &out.Failure{What: l.Trouble}
	}
	return err
}

// ledgerSection prints the sections with a name.
func ledgerSection(o *out.Output, l *survey.Ledger, name string) error {
	found := sectionsNamed(l.Notes, name)
	if len(found) == 0 {
		f := &out.Failure{Code: out.ExitNone, What: "NOTES.md has no section " + out.Quoted(name) + ". See which there are.", Hints: []string{"continuo ledger"}}
		for i := range l.Notes.Sections {
			if s := &l.Notes.Sections[i]; s.Level <= 2 && len(f.Facts) < find.CandidatesMax {
				f.Facts = append(f.Facts, transcript.CleanLine(s.Title))
			}
		}
		return f
	}
	if o.JSON {
		j := struct {
			Sections []sectionJSON `json:"sections"`
		}{}
		for _, i := range found {
			s := newSectionJSON(l.Notes, i)
			text := string(l.Notes.Markdown(i))
			s.Markdown = &text
			j.Sections = append(j.Sections, s)
		}
		return o.PrintJSON(j)
	}
	for _, i := range found {
		o.Out.Print(transcript.Clean(strings.TrimRight(string(l.Notes.Markdown(i)), "\r\n")) + "\n")
	}
	return nil
}

// sectionsNamed returns the sections with a title, ignoring case, or those with the title as a prefix. A nested
// section is part of its parent.
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

// ledgerText formats a ledger for a person.
func ledgerText(env *place.Env, std *out.Output, l *survey.Ledger) string {
	o := ledgerlines.LedgerOptions{Width: std.Out.Page(), Styles: std.Out.Styles, Now: env.Now(), Where: env.Tilde(l.Project.Notes)}
	var b strings.Builder
	for _, line := range ledgerlines.DrawLedger(l, o) {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// ledgerPiped formats a ledger as tab-separated rows.
func ledgerPiped(l *survey.Ledger) string {
	var b strings.Builder
	line := func(words ...string) { b.WriteString(out.Tabbed(words...)) }
	number := strconv.Itoa
	path := ""
	if l.Notes != nil {
		path = l.Project.Notes
	}
	b.WriteString("ledger\t" + out.CleanPath(l.Project.Root) + "\t" + out.OrUnknown(out.CleanPath(path)) + "\t" + out.OrUnknown(out.When(l.Written)) + "\n")
	if l.Notes != nil {
		c := l.Notes.Continuity()
		line("continuity", c.Bead, out.When(c.Checkpoint), cmp.Or(c.State, c.First))
		for i := range l.Notes.Sections {
			s := newSectionJSON(l.Notes, i)
			line("section", number(s.Level), number(s.Line), number(s.Last), numberOf(s.Count), number(s.Tokens), s.Title)
		}
		for _, x := range l.Notes.Decisions() {
			line("decision", number(x.Line), out.When(x.When), x.Title, x.Rationale)
			for k := range x.Evidence {
				e := &x.Evidence[k]
				line("evidence", number(e.Line), e.Ref.String(), string(l.Evidence[survey.BackingOf(e)].Status), e.Quote)
			}
		}
		for _, q := range l.Notes.Questions() {
			line("question", number(q.Line), out.When(q.Since), q.Text)
		}
	}
	for i := range l.Checked {
		c := &l.Checked[i]
		line("identifier", number(c.Line), c.Ref.String(), string(c.Status), c.Purpose)
	}
	if g := l.Beads; g != nil && len(g.Beads) > 0 {
		line("beads", number(len(g.Ready(l.At))), number(len(g.InProgress())), number(len(g.Blocked(l.At))))
		for _, bead := range g.InProgress() {
			line("bead", bead.ID, bead.Status, bead.Title)
		}
	}
	entries.DisagreementRows(&l.Truth, line)
	if !l.Staged.IsZero() {
		line("staged", out.When(l.Staged), number(l.StagedN))
	}
	for _, problem := range ledgerProblems(l) {
		line("problem", problem)
	}
	return b.String()
}

// numberOf formats a count, "" if it is unknown.
func numberOf(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// ledgerProblems returns the problems of a ledger as sentences.
func ledgerProblems(l *survey.Ledger) []string {
	var list []string
	for _, s := range append([]string{l.Trouble, l.BeadsBad}, l.Problems...) {
		if s != "" {
			list = append(list, s)
		}
	}
	return list
}

// sectionTokens returns the number of tokens in a section.
func sectionTokens(n *notes.Notes, i int) int {
	s := &n.Sections[i]
	return recovery.Tokens(string(n.Text[s.Start:s.End]))
}
