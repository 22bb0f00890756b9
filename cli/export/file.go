package export

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript/export"
)

// fileMode is the mode of an exported file: private.
const fileMode = 0o600

// Written describes an exported file.
type Written struct {
	Path   string // absolute path
	Bytes  int64
	Sum    string // SHA-256 in hex
	Masked int
}

// ToFile exports a session or a backup into a new file. The path must be absolute.
func ToFile(ctx context.Context, env *place.Env, row *sessions.Row, format export.Format, redact bool, file string) (Written, error) {
	opts := options{format: format, redact: redact, file: file}
	return toFile(ctx, env, row, opts, opts.redactor(env))
}

func toFile(ctx context.Context, env *place.Env, row *sessions.Row, opts options, redactor *export.Redactor) (Written, error) {
	src, err := openSource(ctx, env, row, opts)
	if err != nil {
		return Written{}, err
	}
	defer src.close()
	w, sum := Written{Path: env.Abs(opts.file)}, sha256.New()
	err = writeFile(env, w.Path, func(to io.Writer) error {
		return src.write(ctx, io.MultiWriter(to, sum, (*counter)(&w.Bytes)), opts.format, redactor)
	})
	if err != nil {
		return Written{}, failure(ctx, env, row, err)
	}
	if w.Sum = hex.EncodeToString(sum.Sum(nil)); redactor != nil {
		w.Masked = redactor.Count
	}
	return w, nil
}

// counter counts bytes.
type counter int64

// Write implements io.Writer.
func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// writeFile creates a complete file, or none. It never replaces a file.
func writeFile(env *place.Env, path string, write func(w io.Writer) error) error {
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
	// Without hard links, a file that appears now could be replaced.
	if err := t.Publish(base); err != nil {
		return failed(err)
	}
	if err := root.SyncDir("."); err != nil {
		return failed(err)
	}
	return nil
}

// keeper keeps the first error of a writer, which is thus not an error of the transcript.
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
