package ledger

import (
	"context"
	"errors"
	"io/fs"
)

// MaxNotes is the longest NOTES.md that is read, in bytes. The longest seen has 178 KB; what is longer is refused by
// size, never read in part.
const MaxNotes = 16 << 20

var (
	// ErrTooLong says that a file is longer than is read.
	ErrTooLong = errors.New("longer than continuo reads")
	// ErrNotText says that a file is no text: it has a NUL byte in its first 8 KB or is not UTF-8.
	ErrNotText = errors.New("no text")
	// ErrOutside says that a link leads out of the project.
	ErrOutside = errors.New("outside the project")
	// ErrBusy says that a file was changed by somebody else again and again while it was to be written: nothing was
	// written.
	ErrBusy = errors.New("being written by another program")
)

// ReadText reads a file below a root, of at most limit bytes. Errors: fs.ErrNotExist, ErrTooLong, ErrNotText, ErrOutside.
func ReadText(ctx context.Context, root, path string, limit int64) (text []byte, mode fs.FileMode, err error) {
	return nil, 0, errors.ErrUnsupported
}

// Edit changes a file below a root as a whole: it takes the lock of the project's ledger, reads the file (nil where there
// is none), asks for the new text, and puts that in its place with its mode kept: a crash at any byte leaves the one or
// the other. It asks again when somebody else wrote in between, three times at most, then ErrBusy. change returns the
// same text when there is nothing to do.
func Edit(ctx context.Context, root, path string, limit int64, change func(was []byte) (now []byte, err error)) error {
	return errors.ErrUnsupported
}
