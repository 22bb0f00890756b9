package gate

import "github.com/continuo-tui/continuo/ledger/notes"

// scenarios returns the number of different test scenarios of the project.
func (f *Facts) scenarios() int {
	seen := map[string]bool{}
	n := f.Claims.Unnamed
	add := func(name string) {
		if key := fold(name); key != "" && !seen[key] {
			seen[key] = true
			n++
		}
	}
	if f.Notes != nil {
		for _, item := range f.Notes.Items(notes.KindScenarios) {
			add(item.Text)
		}
		all := f.Notes.Decisions()
		for i := range all {
			for _, s := range all[i].Scenarios {
				add(s)
			}
		}
	}
	if b := f.bead(); b != nil {
		for _, s := range b.Scenarios {
			add(s.Name)
		}
	}
	for _, name := range f.Claims.Scenarios {
		add(name)
	}
	return n
}

// scenarios runs step 7 (EDD): there are at least as many test scenarios (n) as the config requires.
func scenarios(f *Facts, n int) Step {
	s := Step{Name: "Test scenarios", Status: Pass}
	c := &f.Config.Checkpoint
	if !c.EDD {
		s.Status, s.Figure, s.Note = Off, "off", "by synthesis_checkpoint.edd.enabled"
		return s
	}
	s.Figure = number(n) + " of " + number(c.MinTestScenarios) + " wanted"
	if n >= c.MinTestScenarios {
		return s
	}
	s.Status = Warning
	if !f.blocks(7) {
		s.Note = "warns only"
	}
	s.Findings = []Finding{{
		Title: counted(c.MinTestScenarios-n, "test scenario is missing", "test scenarios are missing"),
		Fix:   "continuo note scenario --type edge_case --expected \"…\" \"…\"", File: f.NotesFile,
	}}
	return s
}
