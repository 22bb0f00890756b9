package trajectory

import (
	"errors"
	"io/fs"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/transcript"
)

// Reason says in a few words why a trajectory cannot be read or written.
func Reason(err error) string {
	switch {
	case errors.Is(err, ErrPacked):
		return "its packing is damaged"
	case errors.Is(err, ledger.ErrOutside):
		return "it leads out of the project"
	case errors.Is(err, ledger.ErrTooLong):
		return "it is too long"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, transcript.ErrNotRegular):
		return "it is a link, or no file"
	}
	return ledger.Reason(err)
}
