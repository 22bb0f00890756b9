package browse

import (
	"context"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/tui/render"
)

// Annotate implements tui.Actions.
func (a Actions) Annotate(ctx context.Context, rows []sessions.Row, e annotate.Edit) error {
	edits := map[annotate.Key]annotate.Edit{}
	for i := range rows {
		key, ok := place.NoteKey(a.Env, &rows[i])
		if !ok {
			return &out.Failure{What: out.Quoted(render.Title(&rows[i])) + " isn't a session below projects/, so nothing can be written about it."}
		}
		edits[key] = e
	}
	if err := place.OpenNotes(a.Env).Edit(ctx, a.Env.Now(), edits); err != nil {
		return inBrowser(err)
	}
	a.Catalog.LookAgain()
	return nil
}
