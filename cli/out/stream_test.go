package out

import (
	"testing"

	"github.com/continuo-tui/continuo/tui/render"
)

func TestTheme(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]render.Theme{
		"": render.Light16, "15;0": render.Dark16, "0;15": render.Light16, "15;default;0": render.Dark16, "12;8": render.Dark16,
		"0;7": render.Light16, "x;y": render.Light16, "0": render.Light16,
	} {
		if got := themeOf(func(string) string { return value }); got != want {
			t.Errorf("COLORFGBG=%q gives theme %d, want %d", value, got, want)
		}
	}
}
