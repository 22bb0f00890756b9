package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// leftovers returns a check for each temporary file of a killed continuo, largest first. The last check counts
// the files beyond doctorNamed.
func (x *Exam) leftovers(ctx context.Context) []Check {
	var left []disk.Left
	for _, dir := range x.writtenDirs(ctx) {
		root, err := disk.Open(dir)
		if err != nil {
			continue // other checks report this error
		}
		left = append(left, slices.DeleteFunc(root.Temps("."), func(l disk.Left) bool { return l.Alive })...)
		_ = root.Close() // nothing was written
	}
	slices.SortStableFunc(left, func(a, b disk.Left) int { return int(max(-1, min(1, b.Bytes-a.Bytes))) })
	var checks []Check
	var rest int64
	for i, l := range left {
		if i >= doctorNamed {
			rest += l.Bytes
			continue
		}
		checks = append(checks, Check{
			Name: "temporary file", State: VerdictWarning, Text: x.Env.Tilde(l.Path) + " is left over from a killed process",
			Note: words.Size(l.Bytes), Fix: "rm -r " + x.shell(l.Path),
		})
	}
	if more := len(left) - doctorNamed; more > 0 {
		checks = append(checks, Check{
			Name: "temporary files", State: VerdictNote, Text: fmt.Sprintf("%d more are left over", more), Note: words.Size(rest),
		})
	}
	return checks
}

// writtenDirs lists the directories in which continuo may write. They may be missing.
func (x *Exam) writtenDirs(ctx context.Context) []string {
	var dirs []string
	for _, dir := range x.dirs {
		dirs = append(dirs, dir)
		dirs = append(dirs, dirsIn(filepath.Join(dir, "projects"), 1)...)
	}
	for _, dir := range []string{x.Env.StateDir(), x.Env.CacheDir()} {
		if dir != "" {
			dirs = append(dirs, dirsIn(dir, 1)...)
		}
	}
	if project := survey.MemoryOf(ctx, x.Env.Dir, x.Env.Home); project != "" {
		claude := filepath.Join(project, ".claude")
		dirs = append(dirs, claude)
		for _, name := range []string{"commands", "hooks", "scripts"} {
			dirs = append(dirs, filepath.Join(claude, name))
		}
		dirs = append(dirs, dirsIn(filepath.Join(claude, "memory"), 2)...) // also raw, and the entries of the trash
	}
	if p, err := ledger.Find(place.RealPath(x.Env.Dir), x.Env.LedgerEnv()); err == nil {
		dirs = append(dirs, p.Root, p.Grimoire, filepath.Dir(p.Notes), p.Trajectory)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// dirsIn lists a directory and its subdirectories down to a depth, without links.
func dirsIn(dir string, depth int) []string {
	dirs := []string{dir}
	if depth == 0 {
		return dirs
	}
	entries, _ := os.ReadDir(dir) // use the entries that were read before an error
	for _, e := range entries {
		if e.IsDir() && !disk.IsTemp(e.Name()) {
			dirs = append(dirs, dirsIn(filepath.Join(dir, e.Name()), depth-1)...)
		}
	}
	return dirs
}
