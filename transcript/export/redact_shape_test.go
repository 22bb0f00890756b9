package export

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"

	"github.com/continuo-tui/continuo/transcript/mask"
)

// TestRedactorShapes compares the shapes with their regular expressions. The texts are random pieces of addresses and
// home directories.
func TestRedactorShapes(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	parts := strings.Split("/home/|/Users/|/mnt|/c|/C|C:|c:|\\|\\\\|/|//|Users|home|users|-home-|-Users-|-|ada|.|~|_|:|@|%40|%|+|example.com|b.|é|漢|٣|\xe6|"+
		"1| |\n|\"|'|(|file://", "|")
	rnd := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // a fixed seed makes the test repeatable
	r := NewRedactor("")
	for _, shape := range []*mask.Shape{&r.email, &r.user, &r.munged} {
		plain, matched := regexp.MustCompile(shape.String()), 0
		for range 100_000 {
			var b strings.Builder
			for range 2 + rnd.IntN(8) {
				b.WriteString(parts[rnd.IntN(len(parts))])
			}
			s := b.String()
			want := plain.ReplaceAllString(s, "${1}~")
			got := shape.Replace(s, func(dst []byte, s string, m []int) []byte {
				return plain.ExpandString(dst, "${1}~", s, m)
			})
			if got != want {
				t.Fatalf("%s in %q: %q, want %q", shape, s, got, want)
			}
			if want != s {
				matched++
			}
		}
		if matched < 100 {
			t.Errorf("%s matched %d times", shape, matched)
		}
	}
}
