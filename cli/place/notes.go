package place

import (
	"os"
	"path/filepath"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
)

// OpenNotes opens the store of annotations of sessions: $XDG_STATE_HOME/continuo/annotations.json or
// ~/.local/state/continuo/annotations.json. A demo has a separate store.
func OpenNotes(env *Env) *annotate.Store { return annotate.New(stateFile(env, "annotations.json")) }

// NoteKey returns the key of a session in the store. It returns false for other rows. The path of a session may contain
// links if the user has typed it. Then NoteKey finds the config directory of this run that contains the file.
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
		return key, true // the caller has reported the error
	}
	for _, dir := range ConfigDirs(env, conf) {
		if SameFile(filepath.Join(dir, "projects", key.Project, filepath.Base(row.Path)), info) {
			key.Dir = dir
			break
		}
	}
	return key, true
}
