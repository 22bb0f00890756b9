package ledger

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/continuo-tui/continuo/internal/disk"
)

// Reason returns a short reason for a failed operation, such as "no space left on the device". It has no path.
func Reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "file not found"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, syscall.ENOSPC):
		return "no space left on the device"
	case errors.Is(err, errLink):
		return errLink.Error()
	case errors.Is(err, ErrReserved):
		return ErrReserved.Error()
	}
	return disk.Cause(err).Error()
}

// Parts returns the errors that err joins, at any depth.
func Parts(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, Parts(e)...)
	}
	return all
}
