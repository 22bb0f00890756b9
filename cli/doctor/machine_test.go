package doctor

import (
	"path/filepath"
	"testing"
)

func TestDoctorDisk(t *testing.T) {
	t.Parallel()
	for free, want := range map[int64]verdict{0: VerdictWarning, diskWanted - 1: VerdictWarning, diskWanted: VerdictOK, 1 << 62: VerdictOK} {
		if got := diskCheck(free); len(got) != 1 || got[0].State != want {
			t.Errorf("%d: %+v, want %s", free, got, want)
		}
	}
	if got := diskCheck(-1); got != nil {
		t.Errorf("unknown: %+v", got)
	}
	if free := freeBytes(t.TempDir()); free == 0 {
		t.Error("freeBytes returned 0 on a writable disk")
	}
	if free := freeBytes(filepath.Join(t.TempDir(), "gone")); free != -1 {
		t.Errorf("gone: %d", free)
	}
}
