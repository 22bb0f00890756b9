package demo

import (
	"fmt"
	"strings"
)

// errand is a short session about one of many things, told differently each time.
func errand(t *talk) {
	verb := t.pick("Rename", "Document", "Speed up", "Split", "Test", "Tidy", "Explain", "Simplify", "Review", "Translate")
	place := t.pick("shelf", "tide", "seed", "kettle", "timetable", "postcard", "lantern", "orchard", "ferry", "almanac")
	part := t.pick("index", "importer", "mailer", "cache", "search page", "form", "export", "log", "reader", "calendar")
	t.title = fmt.Sprintf("%s the %s %s", verb, place, part)
	name := fmt.Sprintf("src/%s/%s.go", place, strings.Fields(part)[0])
	t.file(name, fmt.Sprintf(errandSource, place, part))
	t.prompt(fmt.Sprintf(t.pick(
		"%s the %s %s, please. Small steps, and tell me before you touch anything else.",
		"%s the %s %s. I would like to understand it again next spring.",
		"%s the %s %s, it has been on the list since the summer.",
	), verb, place, part))
	t.answer(think("A small one. Read it, change one thing, run the tests."), say("I read it first."), t.read(name))
	if verb != "Explain" && verb != "Review" {
		t.answer(t.edit(name, "items := []string{}", "var items []string"))
		t.answer(t.bash("go test ./src/"+place, "Run the tests", fmt.Sprintf("ok  \t%s\t0.%03ds", place, t.between(10, 900))))
	}
	t.answer(say(t.conclusion()))
	t.done()
	for range t.between(0, 3) {
		t.prompt(t.question())
		t.work(t.between(80, 900))
		t.answer(say(t.conclusion()))
		t.done()
	}
}

const errandSource = `
package %[1]s

// Load reads the %[2]s of the %[1]s, in the order in which it was written.
func Load(lines []string) []string {
	items := []string{}
	for _, l := range lines {
		if l != "" {
			items = append(items, l)
		}
	}
	return items
}
`
