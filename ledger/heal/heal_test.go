package heal

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPlan has a case for each state of each part.
func TestPlan(t *testing.T) {
	t.Parallel()
	at := func(rel string) string { return filepath.Join(string(filepath.Separator)+"p", filepath.FromSlash(rel)) }
	grimoire, notes, beads, log, index := at("g"), at("g/NOTES.md"), at(".beads"), at("g/a2a/trajectory"), at(".ck")
	named := []string{"git has it"}
	file := func(rel, text string) File { return File{at(rel), []byte(text), Head} }
	facts := func(change ...Fact) []Fact {
		all := []Fact{
			{Part: Grimoire, Path: grimoire, State: There},
			{Part: Notes, Path: notes, State: There},
			{Part: Beads, Path: beads, State: There},
			{Part: Trajectory, Path: log, State: There},
			{Part: Index, Path: index, State: There},
		}
		for _, c := range change {
			i := slices.IndexFunc(all, func(f Fact) bool { return f.Part == c.Part })
			if c.Path == "" {
				c.Path = all[i].Path
			}
			all[i] = c
		}
		return all
	}
	for _, c := range []struct {
		name   string
		facts  []Fact
		want   string // action for each part, with its source
		issues int
	}{
		{"healthy", facts(), "- - - - -", 0},
		{
			"nothing is there, and the config names all", facts(Fact{Part: Grimoire, State: Missing, Named: named}, Fact{Part: Notes, State: Missing, Named: named}, Fact{Part: Beads, State: Missing, Named: named}, Fact{Part: Trajectory, State: Missing, Named: named}, Fact{Part: Index, State: Missing}),
			"make template:NOTES.md make make unused", 4,
		},
		{
			"all comes with the grimoire", facts(
				Fact{Part: Grimoire, State: Missing, Named: named, Kept: []File{file("g/NOTES.md", "# n"), file("g/a2a/trajectory/a.jsonl", "{}")}},
				Fact{Part: Notes, State: Missing, Named: named, Kept: []File{file("g/NOTES.md", "# n")}}, Fact{Part: Trajectory, State: Missing, Named: named}),
			"restore:NOTES.md,a.jsonl restore(grimoire) - restore(grimoire) -", 3,
		},
		{"blank in git", facts(
			Fact{Part: Grimoire, State: Missing, Named: named, Kept: []File{file("g/NOTES.md", " \n"), file("g/x.md", "")}},
			Fact{Part: Notes, State: Missing, Named: named, Kept: []File{file("g/NOTES.md", " \n")}}), "restore:x.md template:NOTES.md - - -", 2},
		{"empty, and git has one", facts(Fact{Part: Notes, State: Empty, Kept: []File{file("g/NOTES.md", "# n")}}), "- restore:NOTES.md - - -", 1},
		{"empty, and git has none", facts(Fact{Part: Notes, State: Empty}), "- template:NOTES.md - - -", 1},
		{"at another place in git", facts(Fact{Part: Notes, State: Missing, Named: named, Kept: []File{file("old/NOTES.md", "# n"), file("NOTES.md", "# r")}}), "- restore:NOTES.md - - -", 1},
		{"git has one that does not come back", facts(Fact{Part: Notes, State: Missing, Named: named, Held: "git"}), "- leave - - -", 1},
		{"empty, and git has one that does not come back", facts(Fact{Part: Notes, State: Empty, Held: "git"}), "- leave - - -", 1},
		{"what is staged can be read", facts(Fact{Part: Notes, State: Missing, Named: named, Held: "git", Kept: []File{file("g/NOTES.md", "# n")}}), "- restore:NOTES.md - - -", 1},
		{"git has beads that do not come back", facts(Fact{Part: Beads, State: Missing, Named: named, Held: "git"}), "- - leave - -", 1},
		{"some of it comes back", facts(Fact{Part: Beads, State: Missing, Named: named, Held: "git", Kept: []File{file(".beads/issues.jsonl", "{}")}}), "- - restore:issues.jsonl - -", 1},
		{
			"nothing is there, and nothing is named", facts(Fact{Part: Grimoire, State: Missing}, Fact{Part: Notes, State: Missing}, Fact{Part: Beads, State: Missing}, Fact{Part: Trajectory, State: Missing}, Fact{Part: Index, State: Missing}),
			"unused unused unused unused unused", 0,
		},
		{"git that did not answer names nothing", facts(Fact{Part: Beads, State: Missing, Held: "git"}), "- - unused - -", 0},
		{"only the beads are named", facts(Fact{Part: Grimoire, State: Missing}, Fact{Part: Notes, State: Missing}, Fact{Part: Beads, State: Missing, Named: named}, Fact{Part: Trajectory, State: Missing}), "unused unused make unused -", 1},
		{"a grimoire names its NOTES.md", facts(Fact{Part: Notes, State: Missing}, Fact{Part: Beads, State: Missing}, Fact{Part: Trajectory, State: Missing}), "- template:NOTES.md unused unused -", 1},
		{"a grimoire does not name notes elsewhere", facts(Fact{Part: Notes, State: Missing, Path: at("notes.md")}), "- unused - - -", 0},
		{
			"a trajectory names its grimoire, and that its NOTES.md", facts(Fact{Part: Grimoire, State: Missing}, Fact{Part: Notes, State: Missing}, Fact{Part: Trajectory, State: Missing, Named: named}),
			"make template:NOTES.md - make -", 3,
		},
		{"a trajectory elsewhere names nothing", facts(Fact{Part: Grimoire, State: Missing}, Fact{Part: Notes, State: Missing}, Fact{Part: Trajectory, State: Missing, Named: named, Path: at("log")}), "unused unused - make -", 1},
		{"wrong", facts(Fact{Part: Notes, State: Wrong, Why: "a folder"}, Fact{Part: Beads, State: Missing, Named: named}), "- leave make - -", 2},
		{"beads without a file", facts(Fact{Part: Beads, State: Empty}), "- - - - -", 0},
		{"beads that git has", facts(Fact{Part: Beads, State: Empty, Kept: []File{file(".beads/issues.jsonl", "{}")}}), "- - restore:issues.jsonl - -", 1},
	} {
		steps := Plan(c.facts, []byte("# t"))
		var got []string
		for _, s := range steps {
			word := string(s.Do)
			switch {
			case s.State == Unused:
				word = "unused"
			case s.Do == Nothing:
				word = "-"
			}
			if s.With != "" {
				word += "(" + string(s.With) + ")"
			}
			var names []string
			for _, f := range s.Files {
				names = append(names, filepath.Base(f.Path))
			}
			if len(names) > 0 {
				word += ":" + strings.Join(names, ",")
			}
			got = append(got, word)
		}
		if is := strings.Join(got, " "); is != c.want || Issues(steps) != c.issues {
			t.Errorf("%s: %q, %d issues; want %q, %d", c.name, is, Issues(steps), c.want, c.issues)
		}
	}
}
