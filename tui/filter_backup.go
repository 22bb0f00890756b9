package tui

import (
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// wordsOf are the words that the row of a backup shows besides its title: its group, when and why it was made, of which
// project, and what has become of its live file.
func (l *list) wordsOf(r *sessions.Row, now time.Time) []string {
	said := []string{group(r, now), render.Moment(now, r.When()), render.MadeBy(r.ID), render.BackupFault(r), string(render.BackupRelation(r))}
	if r.Unseen && !r.Pending {
		said = append(said, "unseen")
	}
	if l.scope.wide() {
		said = append(said, render.Base(r.Project))
	}
	return strings.Fields(strings.ToLower(strings.Join(said, " ")))
}

// shownBonus ranks a word that a row shows as such.
const shownBonus = 2 * titleBonus

// says is the score of a word that the row of a backup shows, or of the beginning of one; 0 it does not.
func (c *candidate) says(word string) int {
	score := 0
	for _, w := range c.shown {
		switch word := strings.ToLower(word); {
		case w == word:
			return shownBonus
		case strings.HasPrefix(w, word):
			score = titleBonus
		}
	}
	return score
}
