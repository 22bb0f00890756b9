package tui

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
)

// TestChainStatusEnds: the status line and the rail end a chain with the same mark.
func TestChainStatusEnds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for name, test := range map[string]struct {
			rows []sessions.Row
			keys []string
			want string
		}{
			"whole":   {chainedDocs()[:3], nil, "linked  §━━━§━━━§  Nov 14, 12, 7"},
			"missing": {chainedDocs()[:2], nil, "linked  §━━━§   ✗  Nov 14, 12"},
			"cycle":   {cyclic(), []string{"j"}, "linked  §───§━━━§   ✗  Nov 14, 12, 7"},
			"fork":    {forked(), []string{"j", "j", "j"}, "linked  §━━━◇  Nov 4"},
			"trunk":   {forked(), nil, "linked  §━━━§━━━§  Nov 14, 12, 7"},
		} {
			m := docModel(t, chainedSource(test.rows), 120, 36)
			press(t, m, test.keys...)
			for _, where := range []string{"list", "reader"} {
				if got := plain(t, m); !strings.Contains(got, test.want+"  ") {
					t.Errorf("%s, %s: no %q:\n%s", name, where, test.want, got)
				}
				press(t, m, "enter")
			}
		}
	})
}
