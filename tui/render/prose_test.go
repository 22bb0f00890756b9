package render

import "testing"

func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"plain text":                     "plain text",
		"# Fix the **race** at midnight": "Fix the race at midnight",
		"**Guest tokens**: first":        "Guest tokens: first",
		"**`Claims.Expired`** is shared": "`Claims.Expired` is shared",
		"keep `**x**` and `# y`":         "keep `**x**` and `# y`",
		"see [the notes](docs/a.md), ![a map](map.png)": "see the notes, a map",
		"a list[0] and [ ] and [x] stay":                "a list[0] and [ ] and [x] stay",
		"src/**/x.go and 2 ** 3 stay":                   "src/**/x.go and 2 ** 3 stay",
		"#42 is no heading":                             "#42 is no heading",
		"a cut **title":                                 "a cut title",
		"[an](open":                                     "[an](open",
	} {
		if got := Prose(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got, want := ProseLines("## Plan\n- **one**\n-5 °C\n```sh\n# no heading **here**\n```\n[x](y)"), "Plan\n• one\n-5 °C\n```sh\n# no heading **here**\n```\nx"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
