package place

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// ownDir returns an absolute XDG directory, or else the fallback below the home; "" if there is no home.
func (e *Env) ownDir(variable string, fallback ...string) string {
	if dir := e.Host.Getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "continuo")
	}
	if e.Home == "" {
		return ""
	}
	return filepath.Join(append(append([]string{e.Home}, fallback...), "continuo")...)
}

// configDir returns the directory of the config file.
func (e *Env) configDir() string { return e.ownDir("XDG_CONFIG_HOME", ".config") }

// CacheDir returns the directory for files that can be recreated.
func (e *Env) CacheDir() string { return e.ownDir("XDG_CACHE_HOME", ".cache") }

// IndexDir returns the directory of the index; "" if there is no home.
func (e *Env) IndexDir() string {
	if dir := e.CacheDir(); dir != "" {
		return filepath.Join(dir, "index")
	}
	return ""
}

// StateDir returns the directory for state that must be kept.
func (e *Env) StateDir() string { return e.ownDir("XDG_STATE_HOME", ".local", "state") }

// ReplaceFile writes a file atomically, and creates its directory.
func ReplaceFile(path string, text []byte, mode, dirMode fs.FileMode) error {
	root, err := disk.Make(filepath.Dir(path), dirMode)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.Replace(filepath.Base(path), text, mode)
}

// editFile locks one of continuo's own files, and replaces the content with edit's result. Without a change, it writes
// nothing. If the lock stays taken, the error is disk.ErrLocked.
func editFile(ctx context.Context, path string, edit func(old []byte) ([]byte, error)) error {
	root, err := disk.Make(filepath.Dir(path), 0o700)
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.Base(path)
	unlock, err := root.Lock(ctx, name)
	if err != nil {
		return err
	}
	defer unlock()
	f, err := root.Open(name)
	if err != nil && !disk.IsAbsent(err) { // the file may be missing
		return err
	}
	var old []byte
	if err == nil {
		old, err = io.ReadAll(f)
		_ = f.Close() // nothing was written
		if err != nil {
			return err
		}
	}
	text, err := edit(old)
	if err != nil || bytes.Equal(text, old) {
		return err
	}
	return root.Replace(name, text, 0o600)
}

// JournalDir returns $XDG_STATE_HOME/continuo/journal or ~/.local/state/continuo/journal; "" if there is no home. A
// demo has its own journal.
func JournalDir(env *Env) string { return stateFile(env, "journal") }

// stateFile returns a path in StateDir, or in the home of a demo; "" if there is no home.
func stateFile(env *Env, name string) string {
	dir := env.StateDir()
	switch {
	case env.MadeUp:
		dir = filepath.Join(env.Home, ".local", "state", "continuo")
	case dir == "":
		return ""
	}
	return filepath.Join(dir, name)
}

// OpenJournal opens the journal of all changes.
func OpenJournal(env *Env) *journal.Store { return journal.Open(JournalDir(env)) }
