package place

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/tui/render"
)

// FuzzConfig: ReadConfig returns allowed values, or an error that is safe to print.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		"", "theme = 'dark'\n[keys]\nresume = ['r']", "claude = {command = 'x', args = ['a']}", "roots = ['~/x', \"\\u001b\"]",
		"[[keys]]", "a.b.c = 1", "resume.in.x = 1\n[resume]", "theme = \"\"\"\nx\"\"\"", "\xff", "[keys]\n\"\" = ''",
		"[prices]\ndate = 2026-10-01\n[prices.models]\nx = { input = 5, cache_read = nan }", "prices.models.a.b = 1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := configParser{config: DefaultConfig("/c"), where: "~/c", home: "/home/ada"}
		err := p.parse(text)
		if err == nil {
			c := p.config
			if c.Theme == "" || c.Glyphs == "" || c.ResumeIn == "" || c.ClaudeCommand == "" {
				t.Errorf("%+v", c)
			}
			return
		}
		bad := out.AsFailure(err)
		if bad.What == "" || strings.ContainsFunc(bad.Text(render.NewStyles(render.None), 0), func(r rune) bool {
			return r != '\n' && (r < ' ' || out.MustEscape(r))
		}) {
			t.Errorf("%q", bad.What)
		}
	})
}
