// Package organise implements the command annotate: names, stars, archive marks, tags and notes of sessions.
package organise

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/tui/render"
)

const hint = "continuo annotate --help"

// NewCmd returns the command continuo annotate.
func NewCmd(env *place.Env, o *out.Output) *cobra.Command {
	var latest, star, unstar, archive, unarchive bool
	var name, text string
	var tags, untags []string
	cmd := &cobra.Command{
		Use:   "annotate SESSION",
		Short: "Name, star, tag or archive a session, or write a note about it",
		Long: `Name, star, tag or archive a session, or write a note about it. Without a flag, print
its annotations. An empty --name or --note removes it.

The name is shown in place of the title. Lists hide archived sessions and count them.
search finds is:starred, is:archived and tag:TAG.

Everything is kept in $XDG_STATE_HOME/continuo/annotations.json. Transcripts are never
changed, and undo doesn't list these edits: undo one with the opposite flag.

Exit codes: 2 an error, or several sessions match, 3 no such session.`,
		Example: `  continuo annotate 3f9ac1e0 --name "Token race" --star --tag auth
  continuo annotate --latest --note "Waits for the review."
  continuo annotate 3f9ac1e0 --archive
  continuo annotate export > annotations.json`,
		ValidArgsFunction: find.CompleteSession(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			arg, err := find.NewSessionArg(cmd, args, latest)
			if err != nil {
				return err
			}
			given := cmd.Flags().Changed
			var e annotate.Edit
			if e.Starred, err = choice("star", "unstar", star, unstar); err != nil {
				return err
			}
			if e.Archived, err = choice("archive", "unarchive", archive, unarchive); err != nil {
				return err
			}
			if given("name") {
				e.Name = &name
			}
			if given("note") {
				e.Text = &text
			}
			if e.Tag, err = typedTags("tag", tags); err != nil {
				return err
			}
			if e.Untag, err = typedTags("untag", untags); err != nil {
				return err
			}
			return annotateSession(cmd.Context(), env, o, arg, e)
		},
	}
	find.AddLatest(cmd, &latest)
	f := cmd.Flags()
	f.StringVar(&name, "name", "", "show `TEXT` in place of the title")
	f.BoolVar(&star, "star", false, "star the session")
	f.BoolVar(&unstar, "unstar", false, "remove the star")
	f.StringArrayVar(&tags, "tag", nil, "add `TAG`, one word; repeat for several")
	f.StringArrayVar(&untags, "untag", nil, "remove `TAG`; repeat for several")
	f.StringVar(&text, "note", "", "write the note `TEXT`, replacing the previous note")
	f.BoolVar(&archive, "archive", false, "hide the session in lists")
	f.BoolVar(&unarchive, "unarchive", false, "show the session in lists again")
	cmd.AddCommand(newExportCmd(env, o), newImportCmd(env, o))
	return cmd
}

// choice returns the value of two opposite flags, or nil. Setting both is an error.
func choice(yes, no string, isYes, isNo bool) (*bool, error) {
	switch {
	case isYes && isNo:
		return nil, out.Usage("--"+yes+" and --"+no+" are opposites. Use one of them.", hint)
	case isYes || isNo:
		return &isYes, nil
	}
	return nil, nil
}

// typedTags checks the tags of a flag.
func typedTags(flag string, typed []string) ([]string, error) {
	for _, t := range typed {
		if _, ok := annotate.Tag(t); !ok {
			return nil, out.Usage("--"+flag+" takes one word without commas, not "+out.Quoted(t)+". Repeat the flag for several tags.", hint)
		}
	}
	return typed, nil
}

// annotateSession edits and prints a session's annotations.
func annotateSession(ctx context.Context, env *place.Env, o *out.Output, arg find.SessionArg, e annotate.Edit) error {
	row, _, err := find.Session(ctx, env, arg)
	if err != nil {
		return err
	}
	key, ok := place.NoteKey(env, &row)
	if !ok {
		return &out.Failure{
			What:  out.Quoted(render.Title(&row)) + " isn't a session below projects/ of a Claude config directory. Only such a session can be annotated.",
			Hints: []string{"continuo list   lists the sessions"},
		}
	}
	store := place.OpenNotes(env)
	if !e.Empty() {
		if err := store.Edit(ctx, env.Now(), map[annotate.Key]annotate.Edit{key: e}); err != nil {
			return err
		}
	}
	notes, err := store.Load()
	if err != nil {
		return err
	}
	note := notes[key]
	note.SetFields(&row)
	return printNote(o, &row, note)
}
