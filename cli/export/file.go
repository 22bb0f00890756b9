package export

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/disk"
)

// fileMode lets only its owner read a conversation.
const fileMode = 0o600

// writeFile creates a file whole or not at all, and never over another one.
func writeFile(env *place.Env, name string, write func(w io.Writer) error) error {
	path := env.Abs(name)
	failed := func(err error) error {
		what := env.Tilde(path) + " cannot be written: " + out.Reason(disk.Cause(err)) + "."
		if errors.Is(err, fs.ErrExist) {
			what = env.Tilde(path) + " exists. Name another file."
		}
		return &out.Failure{What: what, Cause: err}
	}
	root, err := disk.Open(filepath.Dir(path))
	if err != nil {
		return failed(err)
	}
	defer root.Close()
	base := filepath.Base(path)
	if _, err := root.Lstat(base); err == nil {
		return failed(fs.ErrExist)
	}
	t, err := root.Create(".", fileMode)
	if err != nil {
		return failed(err)
	}
	defer t.Drop()
	kept := &keeper{w: t}
	buffered := bufio.NewWriter(kept)
	err = write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if kept.err != nil {
		return failed(kept.err)
	}
	if err != nil {
		return err
	}
	// No lock is held: on a file system without hard links, a file of another program with this name that is created at
	// the same moment could be replaced.
	if err := t.Publish(base); err != nil {
		return failed(err)
	}
	if err := root.SyncDir("."); err != nil {
		return failed(err)
	}
	return nil
}

// keeper keeps the first error of a writer, to tell it from an error of the transcript.
type keeper struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (k *keeper) Write(b []byte) (int, error) {
	n, err := k.w.Write(b)
	if err != nil && k.err == nil {
		k.err = err
	}
	return n, err
}
