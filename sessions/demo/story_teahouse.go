package demo

// The teahouse takes bookings for its six tables. Its server is written in Go.

const teahouseJWT = `
package auth

import "time"

const day = 24 * time.Hour

// Check verifies the signature and the age of a token.
func Check(raw string, now time.Time) (*Claims, error) {
	tok, err := parse(raw)
	if err != nil {
		return nil, err
	}
	claims := tok.Claims()
	if claims.Exp < now.Truncate(day).Unix() {
		return nil, ErrExpired
	}
	return claims, nil
}
`

const teahouseGuest = `
package auth

import "time"

// CheckGuest verifies the token of a guest without an account.
func CheckGuest(raw string, now time.Time) (*Claims, error) {
	tok, err := parse(raw)
	if err != nil {
		return nil, err
	}
	// A copy of Check, from before the guests had claims.
	if tok.Claims().Exp < now.Truncate(day).Unix() {
		return nil, ErrExpired
	}
	return tok.Claims(), nil
}
`

// midnight is the story with everything: thinking, parallel calls, a failing test and a sub-agent.
func midnight(t *talk) {
	t.file("src/auth/jwt.go", teahouseJWT)
	t.file("src/auth/guest.go", teahouseGuest)
	t.prompt("Tokens issued right before midnight cannot be refreshed. Find out why and fix it.")
	t.answer(
		think("A token that fails only around midnight: something compares days, or two clocks disagree about which day it is. Who reads claims.Exp?"),
		say("I look at every place that reads the expiry."),
		t.grep(`claims\.Exp|Claims\(\)\.Exp`,
			"src/auth/jwt.go:15:\tif claims.Exp < now.Truncate(day).Unix() {",
			"src/auth/guest.go:12:\tif tok.Claims().Exp < now.Truncate(day).Unix() {",
			"src/admin/session.go:40:\tleft := claims.Exp - time.Now().Unix()"),
		t.read("src/auth/jwt.go"),
	)
	t.answer(
		say(`The check compares whole days, and the two sides disagree about which day it is:

1. ~Exp~ is UTC, but ~Check~ truncates local time, so late tokens look a day old;
2. there is no leeway, so one second of skew between two hosts is enough.

This test fails:

~~~go
func TestRefreshAcrossMidnight(t *testing.T) {
	clock := at("2026-03-08T23:59:59Z") // one second to go
	tok := issue(t, clock, 15*time.Minute)
	if _, err := check(tok, clock.Add(2*time.Second)); err != nil {
		t.Fatal(err)
	}
}
~~~`),
		t.edit("src/auth/jwt.go", "\tif claims.Exp < now.Truncate(day).Unix() {", "\tif claims.Exp+leeway < now.UTC().Unix() {"),
	)
	t.answer(t.edit("src/auth/jwt.go", "const day = 24 * time.Hour", "// leeway is how many seconds two clocks may differ.\nconst leeway = 30"))
	t.answer(t.bashFails("go test ./src/auth -run Midnight", "Run the new test", 1,
		"--- FAIL: TestRefreshAcrossMidnight/guest (0.00s)\n    guest_test.go:88: token is expired by 2s\nFAIL\nFAIL\tteahouse/src/auth\t0.412s"))

	agent, finished := t.subagent("Find every other caller of Check",
		"List every function in this repository that checks the expiry of a token by itself instead of calling ~auth.Check~. Name file and line.",
		func(a *talk) {
			a.answer(say("I search for the comparison."), a.grep(`Exp\b.*<`,
				"src/auth/guest.go:12:\tif tok.Claims().Exp < now.Truncate(day).Unix() {",
				"src/admin/session.go:41:\tif left < 0 {",
				"jobs/export.go:77:\treturn t.Exp < time.Now().Unix()"))
			a.answer(a.read("src/auth/guest.go"))
			a.answer(say("Three places keep their own copy of the comparison:\n\n- ~src/auth/guest.go:12~\n- ~src/admin/session.go:41~\n- ~jobs/export.go:77~"))
		})
	t.answer(say("The guest token has a copy of the check. I let an agent look for more of them."), agent)
	finished("Three callers keep their own copy of the comparison: guest, admin and the export job.")
	t.answer(say("There are three copies: guest, admin and the export job. Shall I move all of them to one ~Claims.Expired~?"))
	t.done()

	t.prompt("Yes. Start with the guest tokens, please.")
	t.answer(
		t.edit("src/auth/guest.go", "\t// A copy of Check, from before the guests had claims.\n\tif tok.Claims().Exp < now.Truncate(day).Unix() {",
			"\tif tok.Claims().Expired(now) {"),
		t.write("src/auth/claims.go", `
package auth

import "time"

// Expired reports whether the token is over at now, give or take the leeway.
func (c *Claims) Expired(now time.Time) bool { return c.Exp+leeway < now.UTC().Unix() }
`),
	)
	t.answer(t.bash("go test ./src/auth", "Run the tests", "ok  \tteahouse/src/auth\t3.102s"))
	t.answer(say(`The guest verifier had its own copy of the check. Both now share ~Claims.Expired~:

- one clock, in UTC, passed in by the caller;
- one leeway of 30 s, so a skewed host is fine;
- the old ~sameDay~ helper is gone.

Not done: the admin console still compares days. Say so if I should change it too.`))
	t.done()
}

// cancellation is a session with a slash command and a name of its own.
func cancellation(t *talk) {
	t.file("src/booking/cancel.go", `
package booking

// Cancel gives the table back.
func (b *Book) Cancel(id string) error {
	return b.store.Delete(id)
}
`)
	t.command("plan", "cancellation window",
		"Make a plan for: cancellation window. Read first, ask what is unclear, change nothing.\n")
	t.answer(say("I read what there is."), t.read("src/booking/cancel.go"))
	t.answer(say(`## Plan

1. ~Cancel~ gets a clock and refuses within **two hours** of the booking.
2. The refusal is ~ErrTooLate~, so that the form can say it kindly.
3. Staff can cancel at any time.

| who | until two hours before | later |
| --- | --- | --- |
| guest | yes | no, asked to call |
| staff | yes | yes |

One question: does the window count from the booked time or from opening?`))
	t.done()
	t.rename("Cancellation window for bookings")
	t.prompt("From the booked time. Go ahead.")
	t.answer(t.edit("src/booking/cancel.go", "func (b *Book) Cancel(id string) error {\n",
		"func (b *Book) Cancel(id string, now time.Time) error {\n\tif !b.staff && b.start(id).Sub(now) < window {\n\t\treturn ErrTooLate\n\t}\n"))
	t.answer(t.bash("go test ./src/booking", "Run the tests", "ok  \tteahouse/src/booking\t0.871s"))
	t.answer(say("Bookings can be cancelled until two hours before. The form shows the telephone number after that."))
	t.done()
}

// waitlist is a session that two clients wrote to: the first continuation is hidden on resume.
func waitlist(t *talk) {
	t.file("mail/waitlist.txt", `
Dear {{.Name}},
A table has become available. Confirm within 60 minutes.
`)
	t.prompt("Rewrite the waitlist e-mails. They sound like a tax office.")
	t.answer(t.read("mail/waitlist.txt"))
	t.answer(say("Here is a warmer one:\n\n> Good news, {{.Name}}: a table has come free. We keep it for you for an hour.\n\nShall I put it in?"))
	t.done()
	parent := t.parent
	t.mark(ShapeHiddenBranch)

	t.prompt("Yes, and make the subject line shorter.")
	t.answer(t.edit("mail/waitlist.txt", "A table has become available. Confirm within 60 minutes.",
		"Good news: a table has come free. We keep it for you for an hour."))
	t.answer(say("Done. The subject is now **A table for you**."))
	t.done()

	t.parent = parent
	t.prompt("Wait, first show me what it looks like in Portuguese.")
	t.answer(say("> Boas notícias, {{.Name}}: vagou uma mesa. Guardamo-la para si durante uma hora.\n\nIt is eight characters longer, which still fits the preview of a phone."))
	t.done()
}

// slots is a long session that was compacted.
func slots(t *talk) {
	t.file("web/slots.js", `
export function freeSlots(day, bookings) {
  const taken = new Set(bookings.map((b) => b.slot));
  return day.slots.filter((s) => !taken.has(s));
}
`)
	t.prompt("Move the slot picker to the server. The browser must not see the names of other guests.")
	t.answer(think("The picker gets all bookings of the day, names included. The server should send free slots only."), t.read("web/slots.js"))
	t.answer(say("The browser gets every booking of the day just to know which slots are free. I add ~GET /slots/{day}~ that returns free slots only."),
		t.write("src/booking/slots.go", `
package booking

// Free returns the slots of a day that nobody has taken. No names leave the server.
func (b *Book) Free(day Day) []Slot {
	var free []Slot
	for _, s := range day.Slots() {
		if !b.Taken(s) {
			free = append(free, s)
		}
	}
	return free
}
`))
	t.answer(t.bash("go test ./src/booking", "Run the tests", "ok  \tteahouse/src/booking\t0.902s"))
	t.answer(say("The server answers with free slots. Next is the page itself."))
	t.done()
	t.turns(14)
	t.context += 150_000
	t.compact("auto", `Summary:
1. Request: move the slot picker to the server, so that the browser never sees other guests' names.
2. Files: ~src/booking/slots.go~ (new, ~Free~), ~web/slots.js~ (still filters by itself).
3. Decisions: free slots only, no counts; a day without slots is an empty list, not an error.
4. Pending: make ~web/slots.js~ call ~/slots/{day}~ and delete ~freeSlots~.`)
	t.prompt("Continue with the page.")
	t.answer(t.edit("web/slots.js", "export function freeSlots(day, bookings) {\n  const taken = new Set(bookings.map((b) => b.slot));\n  return day.slots.filter((s) => !taken.has(s));\n}",
		"export async function freeSlots(day) {\n  const answer = await fetch(~/slots/${day}~);\n  return answer.json();\n}"))
	t.answer(say("The page asks the server now, and ~bookings~ is gone from its data. I checked the response with the browser's tools: **no names**."))
	t.done()
}
