package place

import (
	"context"
	"encoding/json"
	"os"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
)

// healthRuns is the file in the state directory with the SHA-256 of the last health command of each project. The file
// isn't in the checkout: a checkout brings the command, and could then also forge the file.
const healthRuns = "task-health.json"

// HealthRan reports whether a health command is the one that last ran in a project. changed reports whether a different
// command last ran there.
func HealthRan(env *Env, root, command string) (ran, changed bool) {
	text, _ := os.ReadFile(stateFile(env, healthRuns)) // without the file, no command has run
	sum, known := healthSums(text)[root]
	ran = sum == change.Sum([]byte(command))
	return ran, known && !ran
}

// RememberHealth records that a health command runs in a project. It ignores errors: without the record, the next plan
// warns again.
func RememberHealth(ctx context.Context, env *Env, root, command string) {
	path := stateFile(env, healthRuns)
	if path == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, disk.LockLimit)
	defer cancel()
	_ = editFile(ctx, path, func(old []byte) ([]byte, error) {
		sums := healthSums(old)
		sums[root] = change.Sum([]byte(command))
		return json.Marshal(sums)
	})
}

// healthSums parses the file. A damaged file counts as empty.
func healthSums(text []byte) map[string]string {
	var sums map[string]string
	if json.Unmarshal(text, &sums) != nil || sums == nil {
		return map[string]string{}
	}
	return sums
}
