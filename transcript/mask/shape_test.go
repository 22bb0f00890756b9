package mask

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// TestShapes compares Replace with the regular expression of each rule.
func TestShapes(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	parts := strings.Split("-----BEGIN |RSA |PRIVATE KEY-----|-----END |authorization|Authorization|bearer|Bearer |basic |key|api_key|API-KEY|"+
		"token|secret|passwd|passWord|passphrase|credential|credentials|_pwd|--|-|-u|-U|--user|--proxy-user|=|=>|:|://|https|9z+|@|a.b|host.|example.com|"+
		"http://u:p@|://:|p:q@a.|user:pass|sk-|pk_|rk-|Sk-|gho_|xoxb-|npm_|AKIA|asia|AIza|eyJ|ABCDEFGH12345678|abcdefghijklmnopqrstuvw|x1|é|漢|\xe6|_|.|%|/|\\|\\\\|\"|'|`| |\t|\n|\v|[masked]", "|")
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a fixed seed makes the test repeatable
	matched := map[string]int{}
	for range 40_000 {
		var b strings.Builder
		for range 2 + rnd.IntN(9) {
			b.WriteString(parts[rnd.IntN(len(parts))])
		}
		s := b.String()
		for _, r := range rules() {
			want := compiled(t, r.String()).ReplaceAllString(s, r.with)
			if got := r.expand(s, places(nil, Lower(s), r.anchors), r.with); got != want {
				t.Fatalf("%s in %q: %q, want %q", &r.Shape, s, got, want)
			}
			if want != s {
				matched[r.String()]++
			}
		}
	}
	for _, r := range rules() {
		if matched[r.String()] < 10 {
			t.Errorf("%s matched %d times", &r.Shape, matched[r.String()])
		}
	}
}

var expressions = map[string]*regexp.Regexp{} //nolint:gochecknoglobals // of TestShapes

func compiled(t *testing.T, expr string) *regexp.Regexp {
	t.Helper()
	if expressions[expr] == nil {
		expressions[expr] = regexp.MustCompile(expr)
	}
	return expressions[expr]
}
