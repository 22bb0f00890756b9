package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// trajectory writes what the agents of the first project logged (spec 002): today's claims, of which one rests on nothing and
// two are written in the other style, what was searched for and is not there, and the days before. The files are named by
// the days of the zone of now, as agents name them.
func (h *hooks) trajectory(project string) error {
	dir := filepath.Join(project, "grimoires", "loa", "a2a", "trajectory")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("demo trajectory: %w", err)
	}
	type file struct {
		agent string
		ago   time.Duration // its newest record, before now
		lines []string
	}
	const day = 24 * time.Hour
	files := []file{
		{"implementing-tasks", 3 * time.Minute, claimsOfToday()},
		{"reviewing-code", day + time.Hour, []string{
			`"phase":"cite","claim":"The promotion holds the slot while it asks","citations":[{"code":"func Promote(slot Slot) (Guest, bool) {","path":"src/waitlist/promote.go","line":4}]`,
			`"phase":"cite","claim":"Nobody waits for a slot that is gone","grounding":"code_reference","path":"src/waitlist/promote.go","line":6`,
			`"phase":"negative_ground","claim":"a timer that promotes","query1":"waitlist timer promote","query2":"cron slot offer","results1":0,"results2":0,"doc_mentions":1,"status":"confirmed_ghost"`,
			`"phase":"session_handoff","bead_id":"tea-29","grounding_ratio":1.0,"decisions_count":1,"next_session_ready":true`,
		}},
		{"riding-codebase", 8*day + 3*time.Hour, []string{
			`"phase":0,"status":"complete","notes":"preflight"`,
			`"phase":"2b","status":"complete","notes":"the code is read, 41 files"`,
			`"phase":"cite","claim":"Rate limits have a bucket for each calendar","grounding":"code_reference","path":"src/limit/bucket.go","line":4`,
		}},
	}
	for _, f := range files {
		at := h.options.Now.Add(-f.ago)
		var b strings.Builder
		for i, line := range f.lines {
			key := "ts"
			if f.agent == "riding-codebase" { // as that one writes it
				key = "timestamp"
			}
			when := at.Add(-time.Duration(len(f.lines)-1-i) * 4 * time.Minute).UTC().Format(time.RFC3339)
			if rest, ok := strings.CutPrefix(line, " "); ok { // the style with spaces
				fmt.Fprintf(&b, "{ %q: %q, \"agent\": %q, %s }\n", key, when, f.agent, rest)
				continue
			}
			fmt.Fprintf(&b, "{%q:%q,\"agent\":%q,%s}\n", key, when, f.agent, line)
		}
		path := filepath.Join(dir, f.agent+"-"+at.Format(time.DateOnly)+".jsonl")
		if err := h.stats.file(path, []byte(b.String()), at); err != nil {
			return err
		}
	}
	return h.stats.file(filepath.Join(project, ".loa.config.yaml"), []byte(strings.TrimPrefix(loaText, "\n")), h.options.Now.Add(-9*day))
}

// claimsOfToday are the records of today's session, oldest first: 39 claims, of which 38 rest on something.
func claimsOfToday() []string {
	cite := func(claim, path string, line int) string {
		return fmt.Sprintf(`"phase":"cite","claim":%q,"grounding":"code_reference","path":%q,"line":%d`, claim, path, line)
	}
	places := []struct {
		claim, path string
		line        int
	}{
		{"The clock is asked once in each check", "src/auth/clock.go", 7},
		{"The leeway stands beside the clock", "src/auth/clock.go", 12},
		{"Members are checked by Check", "src/auth/jwt.go", 8},
		{"Guests are checked by a copy of it", "src/auth/guest.go", 6},
		{"A rule of opening hours has a span", "src/hours/model.go", 8},
		{"The bucket of a calendar is filled before it is asked", "src/limit/bucket.go", 5},
	}
	var lines []string
	for _, file := range []string{"members", "guests", "the admin console", "the export", "the reminder mails", "the kiosk"} {
		for _, p := range places {
			lines = append(lines, cite(p.claim+", seen from "+file, p.path, p.line))
		}
	}
	lines[20] = ` "phase": "cite", "claim": "The export goes by the same clock", "grounding": "code_reference", "path": "src/auth/clock.go", "line": 7`
	lines[27] = ` "phase": "cite", "claim": "Reminder mails carry no token", "grounding": "user_input"`
	for _, ghost := range [][3]string{
		{"a second clock", "another source of time", "time.Now outside of auth"},
		{"a leeway of its own for admins", "admin leeway", "grace period of the console"},
		{"a table of holidays", "holidays table", "closed days of a calendar"},
	} {
		lines = append(lines, fmt.Sprintf(`"phase":"negative_ground","claim":%q,"query1":%q,"results1":0,"query2":%q,"results2":0,"doc_mentions":1,"status":"confirmed_ghost"`, ghost[0], ghost[1], ghost[2]))
	}
	return append(lines,
		`"phase":"cite","claim":"Both sides of every comparison have the leeway","citations":[{"code":"const Leeway = 30 * time.Second","path":"src/auth/clock.go","line":12},{"code":"func Check(raw string, now time.Time) (*Claims, error) {","path":"src/auth/jwt.go","line":8}]`,
		`"phase":"assumption","claim":"The staging host is never more than 30 s behind","grounding":"assumption"`,
	)
}

const loaText = `
# What the gate asks of this project before a context is wiped.
grounding:
  threshold: 0.95
  enforcement: strict
gate:
  block: [3] # a decision that rests on code that is not there keeps the gate shut
`
