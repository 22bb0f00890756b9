package demo

// The seed library lends seeds against a promise of new ones. Its register is a SQLite file with a few scripts.

// borders is a session with a look at the web.
func borders(t *talk) {
	t.prompt("Which of our seeds may we send to Norway and Switzerland? We got three requests this week.")
	t.answer(think("Plant health rules differ by species and country. Find the official lists, then compare with the register."),
		t.search("seed exchange plant passport Norway Switzerland small quantities hobby",
			"Both countries publish lists of species that need a certificate. Small gifts between gardeners are treated differently in each.",
			"Seeds in the post: what a gardener may send|https://plants.example/norway/post",
			"Plant passports in one page|https://plants.example/switzerland/passport"))
	t.answer(t.fetch("https://plants.example/norway/post", "Which seeds may a private person send, and how much?",
		"- vegetables and flowers: up to 5 packets, labelled with the botanical name\n- **not**: potato, tomato and pepper without a certificate\n- no soil, no fruit"),
		t.bash("sqlite3 seeds.db \"select genus, count(*) from lots group by genus order by 2 desc limit 6\"", "Count the lots", "Phaseolus|41\nSolanum|33\nPapaver|18\nCapsicum|12\nLathyrus|9\nCalendula|7"))
	t.answer(say(`Most of them, with two exceptions that make up a third of the register:

| genus | lots | Norway | Switzerland |
| --- | ---: | --- | --- |
| *Phaseolus* (beans) | 41 | yes | yes |
| *Solanum* (tomato) | 33 | **certificate** | **passport** |
| *Papaver* (poppy) | 18 | yes | yes |
| *Capsicum* (pepper) | 12 | **certificate** | **passport** |
| *Lathyrus*, *Calendula* | 16 | yes | yes |

I would:

1. mark ~Solanum~ and ~Capsicum~ as *not by post* in the register;
2. print the botanical name on every label;
3. answer the three requests: two ask for beans, one for tomatoes.`))
	t.done()
	t.prompt("Do 1 and 2. I answer the letters myself.")
	t.answer(t.bash("sqlite3 seeds.db \"update lots set post = 0 where genus in ('Solanum','Capsicum'); select changes()\"", "Mark the lots", "45"),
		t.write("labels/label.tex", "\\newcommand{\\lot}[3]{\\textbf{#1}\\\\ \\textit{#2}\\\\ #3}\n"))
	t.answer(say("45 lots are marked, and the label has a line for the botanical name. **Nothing was sent.**"))
	t.done()
}

const seedsChart = `
import sqlite3

rows = sqlite3.connect("seeds.db").execute("select day, sprouted, sown from trials order by day")
for day, sprouted, sown in rows:
    print(day, sprouted, sown)
`

// germination is a session in which the client asked back.
func germination(t *talk) {
	t.file("bin/trials.py", seedsChart)
	t.prompt("Turn the germination trials into something one can look at. In the terminal, no web page.")
	t.answer(t.read("bin/trials.py"))
	t.answer(t.ask("Chart", "What should one line of the chart be?",
		"A genus|twelve lines, the share that sprouted", "A day|sixty lines, as the trials went", "A lot|two hundred lines"))
	t.answer(t.rewrite("bin/trials.py", `
import sqlite3

WIDTH = 30

rows = sqlite3.connect("seeds.db").execute(
    "select genus, sum(sprouted), sum(sown) from trials group by genus order by 1.0 * sum(sprouted) / sum(sown) desc"
)
for genus, sprouted, sown in rows:
    share = sprouted / sown
    print(f"{genus:<12} {'█' * round(share * WIDTH):<{WIDTH}} {share:4.0%}  of {sown}")
`))
	t.answer(t.bash("python bin/trials.py | head -4", "Draw it", "Calendula    ████████████████████████████    94%  of 120\nPhaseolus    ██████████████████████████      88%  of 640\nPapaver      █████████████████               57%  of 300\nLathyrus     ███████████                     38%  of 90"))
	t.answer(say("One line for each genus, longest first. *Lathyrus* is low because nobody scarified the seeds in 2024; sow those again before you throw the lots away."))
	t.done()
}
