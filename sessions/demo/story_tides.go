package demo

import "time"

// The tide tables are printed for four small harbours. The service is written in Python, the pages in HTML.

const tidesHeight = `
"""Heights of the tide, in metres above chart datum."""


def height(gauge, when):
    low, high = gauge.around(when)
    share = (when - low.time) / (high.time - low.time)
    return round(low.height + share * (high.height - low.height), 1)


def label(metres):
    return f"{metres} m"
`

// rounding is a plain session with a table and a code block.
func rounding(t *talk) {
	t.file("tides/height.py", tidesHeight)
	t.prompt("The table for the old mole shows 0.0 m at low water, the gauge says 0.04. Harbour office is not amused.")
	t.answer(
		think("round(..., 1) is done in height itself, so everything that computes with it loses the centimetres. Rounding belongs into label."),
		t.read("tides/height.py"),
		t.bash("python -m tides --harbour old-mole --day 2026-11-20", "Print the table", "05:12  low   0.0 m\n11:31  high  3.4 m\n17:40  low   0.1 m\n23:58  high  3.2 m"),
	)
	t.answer(say("Rounding happens where the height is *computed*, not where it is *shown*. I move it."),
		t.edit("tides/height.py", "    return round(low.height + share * (high.height - low.height), 1)", "    return low.height + share * (high.height - low.height)"))
	t.answer(t.edit("tides/height.py", `    return f"{metres} m"`, `    return f"{metres:.2f} m"`))
	t.answer(t.bash("python -m pytest -q", "Run the tests", ".................                                        [100%]\n17 passed in 0.84s"))
	t.answer(say(`Fixed. The heights keep their centimetres, and the label shows two of them:

| time | tide | before | now |
| --- | --- | ---: | ---: |
| 05:12 | low | 0.0 m | 0.04 m |
| 11:31 | high | 3.4 m | 3.41 m |
| 17:40 | low | 0.1 m | 0.09 m |

The almanac pages use the same label, so they change too. **Check the column width** before you print.`))
	t.done()
	t.prompt("Column width is fine. Thank you!")
	t.answer(say("Good. Fair winds to the harbour office."))
	t.done()
}

// gauge is a session whose tool output is full of escape sequences.
func gauge(t *talk) {
	t.mark(ShapeEscape)
	t.prompt("Run the gauge self test and tell me which harbours fail.")
	t.answer(t.bash("./bin/selftest --all", "Run the self test",
		"\x1b]0;self test\x07\x1b[1mSelf test\x1b[0m\n"+
			"reading  10%\rreading  60%\rreading 100%\n"+
			"\x1b[32m✓\x1b[0m north          \x1b[2m0.3s\x1b[0m\n"+
			"\x1b[31m✗\x1b[0m old-mole       \x1b[38;5;208mno answer\x1b[0m\n"+
			"\x1b]8;;https://tides.example/amber-quay\x1b\\amber-quay\x1b]8;;\x1b\\  \x1b[32mok\x1b[0m\n"+
			"\x07\x1b[2K\x1b[1Adone"))
	t.answer(say("Three of four answer. **old-mole** does not: its cable was changed on Monday, and the port in ~gauges.toml~ is still the old one."))
	t.done()
	t.prompt("Then leave it until the cable is back. Set it to maintenance.")
	t.answer(t.write("gauges.toml", "[old-mole]\nport = 4\nmaintenance = true\n"))
	t.answer(say("~old-mole~ is in maintenance: the table prints a dash and a footnote for it."))
	t.done()
}

// almanac is the session of a client that counts its to-dos in TodoWrite, from before the fields moved.
func almanac(t *talk) {
	t.file("almanac/build.py", "import calendar\n\n\ndef pages(year):\n    for month in range(1, 12):\n        yield page(year, month)\n")
	t.prompt("The almanac has no December. Fix it, add a test, and update the changelog.")
	t.answer(say("I keep a list."), t.todo("> Find why December is missing", "- Add a test", "- Update the changelog"))
	t.answer(think("range(1, 12) stops at November. A classic."), t.read("almanac/build.py"))
	t.answer(t.edit("almanac/build.py", "range(1, 12)", "range(1, 13)"))
	t.answer(t.todo("x Find why December is missing", "> Add a test", "- Update the changelog"))
	t.answer(t.write("almanac/test_build.py", "from almanac.build import pages\n\n\ndef test_a_year_has_twelve_months():\n    assert len(list(pages(2026))) == 12\n"),
		t.bash("python -m pytest -q almanac", "Run the test", ".                                   [100%]\n1 passed in 0.05s"))
	t.answer(t.todo("x Find why December is missing", "x Add a test", "> Update the changelog"),
		t.write("CHANGELOG.md", "- The almanac has a December again.\n"))
	t.answer(t.todo("x Find why December is missing", "x Add a test", "x Update the changelog"))
	t.answer(say("~range(1, 12)~ ends at November. December is back, with a test that counts to twelve."))
	t.done()
}

// lighthouse is a session of a very old client, with a sub-agent inside the same file.
func lighthouse(t *talk) {
	t.prompt("Which of our pages mention the lighthouse? Use an agent, I keep working here.")
	t.answer(say("An agent reads the pages."), t.task("Find lighthouse pages",
		"Find every page under ~pages/~ that mentions the lighthouse, and say in one line what it says.",
		"Two pages mention it:\n\n- ~pages/north.html~: opening hours of the stairs\n- ~pages/history.html~: the lamp of 1871",
		func() {
			t.answer(t.grep("lighthouse", "pages/north.html:14:<p>The lighthouse stairs open at ten.</p>", "pages/history.html:52:<p>The lamp of the lighthouse was lit in 1871.</p>"))
		}))
	t.answer(say("Two pages: the north pier (opening hours) and the history page (the lamp of 1871)."))
	t.done()
}

// overloaded is a session in which the API had no answer.
func overloaded(t *talk) {
	t.prompt("Translate the footnotes of the tide table into Breton.")
	t.apiError(529, "overloaded_error", "API Error: 529 Overloaded. This is a server-side issue, usually temporary.")
	t.done()
	t.wait(10 * time.Minute)
	t.prompt("Again, please.")
	t.answer(say("| footnote | Breton |\n| --- | --- |\n| spring tide | reverzhi |\n| neap tide | marvor |\n| no data | roadenn ebet |\n\nPlease let somebody from the harbour read it before it is printed."))
	t.done()
}
