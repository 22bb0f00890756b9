package demo

// The postcard press prints what people write, one card at a time. Its queue is written in Python.

const pressQueue = `
"""The queue between the web form and the press."""

import pathlib

SPOOL = pathlib.Path("/var/spool/press")


def pending():
    for path in sorted(SPOOL.glob("*.card")):
        yield path, path.read_text(encoding="ascii")


def take(path):
    path.rename(path.with_suffix(".done"))
`

// umlauts is a session about a queue that stopped at the first card with an umlaut.
func umlauts(t *talk) {
	t.file("press/queue.py", pressQueue)
	t.prompt("The press has been silent since this morning. 140 cards wait, no error on the display.")
	t.answer(say("I look at the oldest card and at the log."),
		t.bash("ls /var/spool/press/*.card | head -2; wc -l < /var/log/press.log", "Look at the spool", "/var/spool/press/0412.card\n/var/spool/press/0413.card\n0"),
		t.bashFails("python -m press --once", "Print one card by hand", 1, "Traceback (most recent call last):\n  File \"press/queue.py\", line 10, in pending\n    yield path, path.read_text(encoding=\"ascii\")\nUnicodeDecodeError: 'ascii' codec can't decode byte 0xc3 in position 17"),
		t.read("press/queue.py"))
	t.answer(think("0412 is from somebody called Jürgen, I suppose. The generator dies, the loop around it restarts it, and it dies at the same card again."),
		say("Card 0412 has an **ü**. ~pending~ reads ASCII, dies, and begins with the same card again: one card holds up all others."),
		t.edit("press/queue.py", "        yield path, path.read_text(encoding=\"ascii\")",
			"        try:\n            yield path, path.read_text(encoding=\"utf-8\")\n        except UnicodeDecodeError as e:\n            path.rename(path.with_suffix(\".unreadable\"))\n            log.error(\"%s: %s\", path.name, e)"))
	t.answer(t.edit("press/queue.py", "import pathlib\n\nSPOOL", "import logging\nimport pathlib\n\nlog = logging.getLogger(\"press\")\nSPOOL"),
		t.bash("python -m press --once && ls /var/spool/press/*.card | wc -l", "Print one card", "printed 0412: Grüße aus Überlingen\n139"))
	t.answer(say(`The press runs again: 139 to go, about **50 minutes**.

- text is UTF-8, as the form sends it;
- a card that cannot be read is put aside as ~.unreadable~ and named in the log;
- the log is no longer empty: it had no handler at all.

One thing is left: the display only knows *ready* and *paper*. Shall it say how many cards were put aside?`))
	t.done()
	t.prompt("Later. First the cards. Thank you.")
	t.answer(say("Then I leave it at that. Card 0412 was from Jürgen, by the way: greetings from Überlingen."))
	t.done()
}

// typeface is a session without a single tool: two people who talk about letters.
func typeface(t *talk) {
	t.prompt("I want another typeface for the autumn cards. Something between a schoolbook and a ship's log. What should I look for?")
	t.answer(say(`Three things decide whether it will feel like that on a card of 148 × 105 mm:

## The letters

- **Low contrast.** Ink spreads on uncoated paper; hairlines fill up or break.
- **Open counters**: look at *a*, *e* and *s* at 9 pt, not at 40.
- A *true* italic, for the signature.

## The figures

Old-style figures (3, 4, 5, 7 and 9 hang below the line) belong to a log. Check that there are tabular ones too, for dates.

## The licence

> A desktop licence rarely covers text that customers type themselves.

Ask for *print on demand* by name.`))
	t.done()
	t.prompt("And the paper stays the same?")
	t.answer(say("It can. But order one sheet of each and print the *same* card on all of them: a typeface is chosen with the paper under it, not on a screen."))
	t.done()
}
