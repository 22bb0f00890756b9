package place

import (
	"context"
	"encoding/json"
	"os"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
)

// healthRuns is the file in the state directory that has, for each project, the SHA-256 of the last health command.
// The command comes from the checkout, so this file must be outside of the checkout.
const healthRuns = "task-health.json"

// HealthRan reports whether a health command has run in a project. changed reports whether another one ran there last.
func HealthRan(env *Env, root, command string) (ran, changed bool) {
	text, _ := os.ReadFile(stateFile(env, healthRuns)) // without the file, no command has run
	sum, known := healthSums(text)[root]
	ran = sum == change.Sum([]byte(command))
	return ran, known && !ran
}

// RememberHealth stores that a health command runs in a project. It ignores errors: the next plan then warns again.
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
