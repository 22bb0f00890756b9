package entries

import "testing"

func TestParsePlace(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]struct {
		path     string
		from, to int
		quote    string
	}{
		"src/a.go:12":                   {"src/a.go", 12, 12, ""},
		"${PROJECT_ROOT}/src/a.go:12":   {"src/a.go", 12, 12, ""},
		"src/a.go:12-14 | return a | b": {"src/a.go", 12, 14, "return a | b"},
		"src/a.go:12|x":                 {"src/a.go", 12, 12, "x"},
		"src/a.go:12 return a | b":      {"src/a.go", 12, 12, "return a | b"},
		"src/a.go:12 | `x`":             {"src/a.go", 12, 12, "x"},
		"`func f(a []int)` [${PROJECT_ROOT}/src/a.go:12–14]": {"src/a.go", 12, 14, "func f(a []int)"},
		"src/a.go | x": {"src/a.go", 0, 0, "x"},
	} {
		ref, quote, ok := parsePlace(typed)
		if !ok || ref.Path != want.path || ref.From != want.from || ref.To != want.to || quote != want.quote {
			t.Errorf("%s: %+v %q %v", typed, ref, quote, ok)
		}
	}
	for _, typed := range []string{"", "because", "| x", "func f() | src/a.go:1", "https://x.test/a.go:12"} {
		if ref, quote, ok := parsePlace(typed); ok {
			t.Errorf("%s: %+v %q", typed, ref, quote)
		}
	}
}
