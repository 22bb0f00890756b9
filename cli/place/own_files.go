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

// ownDir is where continuo keeps files of one sort: the directory that a variable of the XDG base directories names,
// else the fallback below the home; "" without a home. The specification ignores a value that is no whole path.
func (e *Env) ownDir(variable string, fallback ...string) string {
	if dir := e.Host.Getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "continuo")
	}
	if e.Home == "" {
		return ""
	}
	return filepath.Join(append(append([]string{e.Home}, fallback...), "continuo")...)
}

// configDir is where the config file is.
func (e *Env) configDir() string { return e.ownDir("XDG_CONFIG_HOME", ".config") }

// CacheDir is where lies what can be found again.
func (e *Env) CacheDir() string { return e.ownDir("XDG_CACHE_HOME", ".cache") }

// StateDir is where continuo keeps what it has to remember.
func (e *Env) StateDir() string { return e.ownDir("XDG_STATE_HOME", ".local", "state") }

// ReplaceFile writes a file whole or not at all: a reader sees the old one or the new one. Its directory is made.
func ReplaceFile(path string, text []byte, mode, dirMode fs.FileMode) error {
	root, err := disk.Make(filepath.Dir(path), dirMode)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.Replace(filepath.Base(path), text, mode)
}

// editFile is replaceFile of a file of continuo's own, with what it is made of looked at under its lock. Nothing is
// written when edit returns the same. The error is disk.ErrLocked where another one does not give the lock back.
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
	if err != nil && !disk.IsAbsent(err) { // the lock made it, where it is a lock of its own file
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

// JournalDir is where the journal lies: $XDG_STATE_HOME/continuo/journal, else ~/.local/state/continuo/journal; "" without
// a home. What is done in a demo is not among what was done.
func JournalDir(env *Env) string {
	dir := env.StateDir()
	switch {
	case env.MadeUp:
		dir = filepath.Join(env.Home, ".local", "state", "continuo")
	case dir == "":
		return ""
	}
	return filepath.Join(dir, "journal")
}

// OpenJournal is what was written by continuo, a command or the browser.
func OpenJournal(env *Env) *journal.Store { return journal.Open(JournalDir(env)) }
