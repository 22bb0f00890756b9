package disk

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// TestFull runs each operation on a full disk. It tries with more and more free blocks.
func TestFull(t *testing.T) {
	t.Parallel()
	drilltest.InMounts(t, full)
}

func full(t *testing.T) {
	long := strings.Repeat("new\n", 10_000)
	for _, o := range []struct {
		name, want string
		do         func(r *Root) error
	}{
		{"replace", long, func(r *Root) error { return r.Replace("a", []byte(long), 0o600) }},
		{"hidden", long, func(r *Root) error {
			temp, err := r.CreateHidden(".", 0o600)
			if err != nil {
				return err
			}
			defer temp.Drop()
			if _, err := temp.Write([]byte(long)); err != nil {
				return err
			}
			return temp.Replace("a")
		}},
		{"append", "old\n" + long, func(r *Root) error { return r.AppendLine("a", []byte(long[:len(long)-1]), 0o600) }},
	} {
		failed, done := 0, 0
		for free := range 16 { // number of free blocks; the new text needs 10
			r := newRoot(t)
			drilltest.Mount(t, r.path, "size=128k")
			if r, err := Open(r.path); err != nil {
				t.Error(err)
			} else {
				r.put(t, "a", "old\n")
				drilltest.Fill(t, r.path, 4096, free)
				switch err := o.do(r); {
				case err == nil:
					done++
					r.has(t, "a", o.want)
				case errors.Is(err, syscall.ENOSPC):
					failed++
					r.has(t, "a", "old\n")
				default:
					t.Errorf("%s: %v", o.name, err)
				}
				if left := r.Temps("."); len(left) > 0 {
					t.Errorf("%s: left %v", o.name, left)
				}
				_ = r.Close()
			}
		}
		if failed == 0 || done == 0 {
			t.Errorf("%s: %d failed, %d succeeded; both must happen", o.name, failed, done)
		}
	}
}
