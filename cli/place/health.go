package place

import (
	"context"
	"encoding/json"
	"os"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
)

// healthRuns has the SHA-256 of each project's last health command. It is outside the checkout, which could forge the
// file.
const healthRuns = "task-health.json"

// HealthRan reports whether this health command ran last in a project (ran), or another one (changed).
func HealthRan(env *Env, root, command string) (ran, changed bool) {
	text, _ := os.ReadFile(stateFile(env, healthRuns)) // without the file, no command has run
	sum, known := healthSums(text)[root]
	ran = sum == change.Sum([]byte(command))
	return ran, known && !ran
}

// RememberHealth records a project's health command. It ignores errors: the next plan then warns again.
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

// healthSums parses the file; damaged means empty.
func healthSums(text []byte) map[string]string {
	var sums map[string]string
	if json.Unmarshal(text, &sums) != nil || sums == nil {
		return map[string]string{}
	}
	return sums
}
