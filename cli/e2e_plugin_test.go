//go:build unix

package cli

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/continuo-tui/continuo/sessions/hook/setup"
)

// TestE2EPlugin installs the plugin from a clone with the real client.
func TestE2EPlugin(t *testing.T) {
	t.Parallel()
	client := realClient(t)
	p := newInitPlace(t)
	tree, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"validate", filepath.Join(tree, "docs", "plugin"), "--strict"},
		{"validate", tree, "--strict"},
		{"marketplace", "add", tree},
		{"install", "continuo@continuo"},
	} {
		cmd := exec.CommandContext(t.Context(), client, append([]string{"plugin"}, args...)...)
		cmd.Dir = p.project
		cmd.Env = []string{
			"HOME=" + p.home, "PATH=/usr/bin:/bin", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
			"http_proxy=http://127.0.0.1:9", "https_proxy=http://127.0.0.1:9",
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("claude plugin %q: %v\n%s", args, err, out)
		}
	}
	s := setup.Options{Project: p.project, ConfigDir: filepath.Join(p.home, ".claude"), Home: p.home, Records: t.TempDir()}
	plan, err := s.PlanInstall()
	if err != nil || plan.Scope != setup.ScopePlugin {
		t.Errorf("whose hooks act: %q %v %+v", plan.Scope, err, s.Look())
	}
}
