package render

import (
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// GitWords returns the state of a repository, such as "on main, 1 ahead, 2 files changed"; "" if g is nil.
func GitWords(g *survey.Repo) string {
	if g == nil || g.Branch == "" && !g.Known {
		return ""
	}
	text := "on a detached HEAD"
	if g.Branch != "" {
		text = "on " + g.Branch
	}
	if g.Ahead > 0 {
		text += ", " + words.Count(g.Ahead) + " ahead"
	}
	if g.Behind > 0 {
		text += ", " + words.Count(g.Behind) + " behind"
	}
	if g.Changed > 0 {
		text += ", " + words.Counted(g.Changed, "file", "files") + " changed"
	}
	return text
}

// TreeWords returns the number of linked worktrees, such as "2 worktrees"; "" if it is 0.
func TreeWords(trees int) string {
	if trees == 0 {
		return ""
	}
	return words.Counted(trees, "worktree", "worktrees")
}
