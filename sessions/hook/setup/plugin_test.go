package setup

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the files of the plugin anew") //nolint:gochecknoglobals // a flag

// pluginDir is the directory of the plugin in the repository, for `claude plugin marketplace add`.
const pluginDir = "../../../docs/plugin"

// pluginFiles returns the plugin's files that are copies of files in this package.
func pluginFiles() map[string]string {
	files := map[string]string{}
	for _, name := range textNames() {
		if strings.HasPrefix(name, "commands/") {
			files[name] = string(textFile(name))
		}
	}
	s := &settings{nl: "\n", unit: "  "}
	var hooks []field
	for _, w := range wantedHooks(ScopePlugin, "continuo") {
		hooks = append(hooks, field{w.event, []any{w.group()}})
	}
	files["hooks/hooks.json"] = s.written([]field{
		{"description", "Keeps a copy of each conversation when it is compacted or ends, in projects that continuo init has set up"},
		{"hooks", hooks},
	}, false, "") + "\n"
	return files
}

// TestPlugin: the plugin has the commands and hooks of init.
func TestPlugin(t *testing.T) {
	t.Parallel()
	want := pluginFiles()
	if *update {
		for name, text := range want {
			path := filepath.Join(pluginDir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	var got []string
	err := filepath.WalkDir(pluginDir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(pluginDir, path)
		got = append(got, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range got {
		text := must(os.ReadFile(filepath.Join(pluginDir, filepath.FromSlash(name))))
		own := slices.Contains([]string{".claude-plugin/plugin.json", "README.md", "LICENSE"}, name)
		if !own && !bytes.Equal(text, []byte(want[name])) {
			t.Errorf("%s differs from the text of this package: go test ./sessions/hook/setup -update", name)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
	if licence := must(os.ReadFile(filepath.Join(pluginDir, "LICENSE"))); !bytes.Equal(licence, must(os.ReadFile("../../../LICENSE"))) {
		t.Error("the license differs")
	}

	var plugin struct{ Name, Version, Description string }
	var market struct {
		Name    string
		Owner   struct{ Name string }
		Plugins []struct{ Name, Source, Description string }
	}
	for path, into := range map[string]any{
		pluginDir + "/.claude-plugin/plugin.json":  &plugin,
		"../../../.claude-plugin/marketplace.json": &market,
	} {
		if err := json.Unmarshal(must(os.ReadFile(filepath.FromSlash(path))), into); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if plugin.Name != pluginName || plugin.Version == "" || plugin.Description == "" {
		t.Errorf("plugin: %+v", plugin)
	}
	if len(market.Plugins) != 1 || market.Plugins[0].Name != pluginName || market.Plugins[0].Source != "./docs/plugin" || market.Owner.Name == "" {
		t.Errorf("marketplace: %+v", market)
	}
}
