package cli

import (
	"io/fs"
	"os"
	"path/filepath"
)

// ownDir is where continuo keeps files of one sort: the directory that a variable of the XDG base directories names,
// else the fallback below the home; "" without a home. The specification ignores a value that is no whole path.
func (d *deps) ownDir(variable string, fallback ...string) string {
	if dir := d.getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "continuo")
	}
	if d.home == "" {
		return ""
	}
	return filepath.Join(append(append([]string{d.home}, fallback...), "continuo")...)
}

// configDir is where the config file is.
func (d *deps) configDir() string { return d.ownDir("XDG_CONFIG_HOME", ".config") }

// cacheDir is where lies what can be found again.
func (d *deps) cacheDir() string { return d.ownDir("XDG_CACHE_HOME", ".cache") }

// stateDir is where continuo keeps what it has to remember.
func (d *deps) stateDir() string { return d.ownDir("XDG_STATE_HOME", ".local", "state") }

// replaceFile writes a file whole or not at all: a reader sees the old one or the new one. Its directory is there.
func replaceFile(path string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // nothing is lost: it was never in its place
	}
	return err
}
