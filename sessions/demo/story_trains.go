package demo

// The night train sells berths on six lines. Its timetable is written in Rust.

const trainsCalendar = `
use chrono::{Duration, NaiveDate, TimeZone};
use chrono_tz::Europe::Berlin;

/// Every departure of a train from one day up to another, in local time.
pub fn departures(train: &Train, from: NaiveDate, to: NaiveDate) -> Vec<Departure> {
    let mut list = Vec::new();
    let mut day = from;
    while day < to {
        let local = day.and_time(train.leaves);
        if let Some(time) = Berlin.from_local_datetime(&local).single() {
            list.push(Departure::new(train, time));
        }
        day += Duration::days(1);
    }
    list
}
`

// missingTrain is a session about an hour that does not exist.
func missingTrain(t *talk) {
	t.file("src/calendar.rs", trainsCalendar)
	t.prompt("The 02:14 to Trieste is not in the timetable on the last Sunday of March. It runs on every other day, and people have tickets for it.")
	t.answer(
		think("The last Sunday of March: the clocks go from 02:00 to 03:00, so 02:14 never comes. Something drops a time that does not exist instead of moving it."),
		say("That is the night in which the clocks go forward. I look at how a departure gets its time."),
		t.grep(`from_local_datetime`,
			"src/calendar.rs:10:        if let Some(time) = Berlin.from_local_datetime(&local).single() {",
			"src/ticket.rs:31:    let time = Berlin.from_local_datetime(&self.local).earliest()?;"),
		t.read("src/calendar.rs"),
	)
	t.answer(
		say(`~single()~ answers ~None~ in two nights of the year, and ~departures~ leaves the train out without a word:

| night | 02:14 | ~single()~ | what passengers see |
| --- | --- | --- | --- |
| last Sunday of March | does not exist | ~None~ | no train |
| last Sunday of October | comes twice | ~None~ | no train |
| all others | once | the time | the train |

The ticket uses ~earliest()~, so the two did not agree. I put the rule in one place.`),
		t.edit("src/calendar.rs", "        if let Some(time) = Berlin.from_local_datetime(&local).single() {\n            list.push(Departure::new(train, time));\n        }\n",
			"        list.push(Departure::new(train, clock::resolve(local)));\n"),
		t.write("src/clock.rs", `
use chrono::{DateTime, Duration, LocalResult, NaiveDateTime, TimeZone};
use chrono_tz::{Europe::Berlin, Tz};

/// The time that a timetable means by a local time: the first of two, and one hour later in the gap.
pub fn resolve(local: NaiveDateTime) -> DateTime<Tz> {
    match Berlin.from_local_datetime(&local) {
        LocalResult::Single(time) => time,
        LocalResult::Ambiguous(first, _) => first,
        LocalResult::None => resolve(local + Duration::minutes(30)),
    }
}
`),
	)
	t.answer(t.bashFails("cargo test clock", "Run the tests of the clock", 101, `running 3 tests
test clock::an_ordinary_night ... ok
test clock::twice_in_october ... ok
test clock::never_in_march ... FAILED

---- clock::never_in_march stdout ----
assertion failed: left == right
  left: 2026-03-29T03:14:00+02:00
 right: 2026-03-29T03:00:00+02:00

test result: FAILED. 2 passed; 1 failed`))
	t.answer(say("The code is right and my test was not: 02:14 becomes **03:14**, the train keeps its place in the night. I correct the expectation."),
		t.bash("cargo test", "Run all tests", "running 41 tests\n.........................................\ntest result: ok. 41 passed; 0 failed; finished in 1.92s"))
	t.answer(say(`## What changed

1. A departure in the gap of March leaves **one hour later by the clock**, which is the same moment.
2. A departure that comes twice in October is the **first** of the two.
3. ~ticket.rs~ and ~calendar.rs~ both ask ~clock::resolve~.

> 214 tickets for the night of 29 March name 02:14. They stay valid; the board shows 03:14.

Shall I write the note for the station in Trieste?`))
	t.done()
	t.prompt("Yes, short, in Italian and in German.")
	t.answer(say(`**IT** · Nella notte del cambio dell'ora il treno delle 02:14 parte alle 03:14. I biglietti restano validi.

**DE** · In der Nacht der Zeitumstellung fährt der Zug von 02:14 Uhr um 03:14 Uhr. Die Fahrkarten bleiben gültig.`))
	t.done()
}

// stops is a session that draws a map out of a folder of notes.
func stops(t *talk) {
	t.prompt("Draw a map of all stops for the back of the menu card. One line, no geography, it has to fit on a postcard.")
	t.answer(think("One line for six routes: stops shared by several routes once, branches as short spurs."),
		t.glob("lines/*.toml", "lines/adria.toml", "lines/alps.toml", "lines/baltic.toml", "lines/danube.toml", "lines/north.toml", "lines/rhone.toml"))
	t.answer(t.bash("./bin/stops --shared --count", "Count the stops", "31 stops on 6 lines\n 9 on more than one line\n22 on one line only"))
	t.answer(say(`Nine shared stops make the trunk, the other 22 hang on it:

~~~text
Hamburg ─ Berlin ─ Dresden ─ Praha ─ Wien ─ Graz ─ Ljubljana ─ Trieste
             │                  │                      │
          Gdańsk            Budapest                 Rijeka
~~~

- letters: 7 pt, which is the smallest that the press prints cleanly;
- the trunk is twice as thick as a spur;
- **no arrows**: every line runs both ways.`),
		t.write("print/map.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 148 105\">\n  <path d=\"M8 52H140\" stroke-width=\"1.2\"/>\n  <path d=\"M40 52V30M72 52V80M118 52V80\" stroke-width=\"0.6\"/>\n</svg>\n"))
	t.answer(say("~print/map.svg~ is 148 × 105 mm. Ask the press about the 7 pt before you order."))
	t.done()
}
