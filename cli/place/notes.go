package place

import (
	"os"
	"path/filepath"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
)

// OpenNotes opens the annotations of sessions: $XDG_STATE_HOME/continuo/annotations.json or
// ~/.local/state/continuo/annotations.json. A demo has its own store.
func OpenNotes(env *Env) *annotate.Store { return annotate.New(stateFile(env, "annotations.json")) }

// NoteKey returns the key of a session in the store; false for other rows. A typed path may contain links.
func NoteKey(env *Env, row *sessions.Row) (annotate.Key, bool) {
	key, ok := annotate.KeyOf(row.Path)
	if row.Kind != sessions.KindSession || !ok {
		return key, false
	}
	info, err := os.Stat(row.Path)
	if row.Dir != "" || err != nil {
		return key, true
	}
	conf, err := LoadConfig(env)
	if err != nil {
		return key, true // the caller reports the error
	}
	for _, dir := range ConfigDirs(env, conf) {
		if SameFile(filepath.Join(dir, "projects", key.Project, filepath.Base(row.Path)), info) {
			key.Dir = dir
			break
		}
	}
	return key, true
}
