package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
)

// TestE2EMCP calls the four tools with the MCP inspector from npm.
func TestE2EMCP(t *testing.T) {
	if os.Getenv("CONTINUO_E2E") != "1" {
		t.Skip("CONTINUO_E2E=1 runs the MCP inspector")
	}
	w, dir := newMCPWorld(t), t.TempDir()
	run := func(name string, args ...string) []byte {
		cmd := exec.CommandContext(t.Context(), name, args...)
		var stderr bytes.Buffer
		cmd.Dir, cmd.Stderr = w.project, &stderr
		cmd.Env = append(os.Environ(), "TEST_NOW="+now().Format("2006-01-02T15:04:05Z07:00"))
		printed, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s%s", name, args, err, printed, stderr.String())
		}
		return printed
	}
	run("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, "@modelcontextprotocol/inspector@2.12.0")
	inspect := func(args ...string) []byte {
		server := []string{"--prefix", dir, "mcp-inspector", "--cli", "-e", "HOME=" + w.home, "continuo", "mcp", "--method"} // testscript has put continuo on the PATH
		return run("npx", append(server, args...)...)
	}
	if tools := string(inspect("tools/list")); strings.Count(tools, `"readOnlyHint": true`) != 4 {
		t.Errorf("not four tools: %s", tools)
	}
	for _, c := range [][2][]string{
		{{"list"}, {"list"}},
		{{"search", "--tool-arg", "query=leeway"}, {"search", "leeway"}},
		{{"read", "--tool-arg", "latest=true", "--tool-arg", "limit=100"}, {"show", "--latest"}},
		{{"recover", "--tool-arg", "level=2", "--tool-arg", "query=leeway"}, {"recover", "2", "--query", "leeway"}},
	} {
		var res struct{ Content []struct{ Text string } }
		printed := inspect(append([]string{"tools/call", "--tool-name"}, c[0]...)...)
		if err := json.Unmarshal(printed, &res); err != nil || len(res.Content) != 1 {
			t.Errorf("%v: %v %s", c[0], err, printed)
			continue
		}
		var got any
		if err := json.Unmarshal([]byte(res.Content[0].Text), &got); err != nil {
			t.Error(err)
		}
		want := w.printed(t, c[1]...)
		if c[0][0] == "recover" {
			if !reflect.DeepEqual(got, want[0]) {
				t.Errorf("%v: %v, want %v", c[0], got, want[0])
			}
			continue
		}
		var p mcpPage
		if err := json.Unmarshal([]byte(res.Content[0].Text), &p); err != nil {
			t.Error(err)
		}
		if values := p.values(); len(values) == 0 || !reflect.DeepEqual(values, want[:len(values)]) {
			t.Errorf("%v: %d values, want those of %v", c[0], len(values), c[1])
		}
	}
}
