package cli

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// savedBefore is the line of a plan that says that the newest document of a session has all that was said in it; none
// where something was said since.
func savedBefore(ctx context.Context, env *Env, row *sessions.Row, project string) []change.Line {
	list := survey.DocumentsOf(ctx, project, env.now())
	i := slices.IndexFunc(list, func(doc document.Document) bool {
		return doc.Kind == document.KindSession && doc.Session != "" && doc.Session == row.ID
	})
	if i < 0 || row.Last.IsZero() || row.Last.After(list[i].Date) {
		return nil
	}
	text := filepath.Base(list[i].Path) + " is of this session and nothing was said since"
	return []change.Line{{Mark: change.Warn, Text: text}}
}
