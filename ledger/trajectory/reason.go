package trajectory

import (
	"errors"
	"io/fs"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/transcript"
)

// Reason returns a short reason why a trajectory can't be read or written.
func Reason(err error) string {
	switch {
	case errors.Is(err, ErrPacked):
		return "the compressed data is damaged"
	case errors.Is(err, ledger.ErrOutside):
		return "outside the project"
	case errors.Is(err, ledger.ErrTooLong):
		return "too long"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, transcript.ErrNotRegular):
		return "a link, or not a regular file"
	}
	return ledger.Reason(err)
}
