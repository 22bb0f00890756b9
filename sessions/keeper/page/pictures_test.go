package page

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// fill adds sessions of all states. It returns the ID of one with all kinds of messages.
func fill(s *standIn) (long string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	long = s.uuid()
	for i, e := range []struct {
		prompt, dir, state string
		old                time.Duration
	}{
		{"Move the slot picker to the server", "teahouse", "waiting", 11 * time.Minute},
		{"Fix refresh token race at midnight", "teahouse", "busy", 40 * time.Second},
		{"The label printer prints twice", "pantry", "idle", 26 * time.Minute},
		{"Add a cancellation window to bookings", "teahouse", "live", time.Hour},
		{"Why is the nightly export slow?", "teahouse", "ok", 3 * time.Hour},
		{"Split the booking handler from the router and keep the old routes for a month", "teahouse", "ok", 26 * time.Hour},
		{"Rewrite the waitlist e-mails", "teahouse", "partial", 30 * time.Hour},
		{"Labels in two languages", "pantry", "ok", 36 * time.Hour},
		{"Rate limit for the public calendar", "teahouse", "ok", 80 * time.Hour},
		{"The feed drops every second stop", "ferry", "ok", 90 * time.Hour},
		{"", "ferry", "empty", 100 * time.Hour},
		{"Seed data for the demo tenant", "teahouse", "error", 130 * time.Hour},
		{"Bump the toolchain, fix what vet finds", "teahouse", "ok", 500 * time.Hour},
		{"Count stock with a barcode reader", "pantry", "ok", 900 * time.Hour},
	} {
		id := long
		if i > 0 {
			id = s.uuid()
		}
		s.sessions[id] = newSession(id, "/home/dev/code/"+e.dir, e.prompt, e.state, e.old)
		s.sessions[id]["messageCount"] = 7*i + 3
		if e.state == "error" {
			s.sessions[id]["error"] = "open /home/dev/.claude/projects/-home-dev-code-teahouse/x.jsonl: permission denied"
		}
	}
	for i := range 25 {
		s.say(long, "user", fmt.Sprintf("Prompt %d", i))
		s.say(long, "assistant", "Answer.")
	}
	s.say(long, "user", "Go ahead, but leave the old picker behind a flag until the page is measured.")
	s.say(long, "assistant", []object{{"type": "tool_use", "id": "t1", "name": "Read", "input": object{"file_path": "/home/dev/code/teahouse/src/slots/picker.go", "limit": 140}}})
	s.say(long, "assistant", []object{{"type": "tool_use", "id": "t2", "name": "Grep", "input": object{"pattern": "SlotPicker"}}})
	s.say(long, "assistant", "The picker only needs the day and the party size, so the server can send ready rows. I keep the old one behind `slots.client_side`:")
	s.say(long, "assistant", []object{{"type": "tool_use", "id": "t3", "name": "Edit", "input": editOfPicker()}})
	s.say(long, "assistant", "## What changed\n\nThe server answers in **0.19 ms** instead of 2.9 ms, so the page *no longer* waits:\n\n- `Free` filters in the database, by day and party size;\n- the response is no longer cached, because\n  a slot can be gone a second later:\n  1. first one\n  2. second, see [the docs](https://example.com/docs)\n- [x] done\n- [ ] open\n\n| benchmark | before | after |\n|---|---|---|\n| Free | 2.9 ms | 0.19 ms |\n| All | 4.0 ms | 3.8 ms |\n\n```go\nfunc (h *Handler) Slots(w http.ResponseWriter, r *http.Request) {\n\trows := h.store.Free(r.Context(), q.Day, q.Party)\n\twriteJSON(w, rows)\n}\n```\n\n> Not done: `docs/auth.md` still says 60 s.")
	return long
}

// editOfPicker is the input of the tool Edit.
func editOfPicker() object {
	return object{
		"file_path":  "/home/dev/code/teahouse/src/slots/picker.go",
		"old_string": "func (h *Handler) Slots(w, r) {\n\tall := h.store.All(r.Context())\n\tw.Header().Set(\"Cache-Control\", \"max-age=60\")\n\twriteJSON(w, all)\n}",
		"new_string": "func (h *Handler) Slots(w, r) {\n\tif h.flags.On(\"slots.client_side\") {\n\t\th.slotsClientSide(w, r)\n\t\treturn\n\t}\n\tq, err := slotQuery(r)\n\tif err != nil { badRequest(w, err); return }\n\trows := h.store.Free(r.Context(), q.Day, q.Party)\n\twriteJSON(w, rows)\n}",
	}
}

// TestPictures writes pictures of the page into the directory CONTINUO_SHOTS.
func TestPictures(t *testing.T) {
	if os.Getenv("CONTINUO_SHOTS") == "" {
		t.Skip("set CONTINUO_SHOTS to a directory")
	}
	b := startBrowser(t)
	for _, scheme := range []string{"dark", "light"} {
		for name, p := range map[string]*tab{"desktop": b.newTab(t, 1280, 800, false, scheme), "phone": b.newTab(t, 390, 844, true, scheme)} {
			s := newStandIn(t)
			id := fill(s)
			shoot := func(what string) { p.shoot(name + "-" + scheme + "-" + what) }
			p.open(s.url + "/#token=secret")
			p.see("#rows a", "Seed data")
			shoot("list")
			p.eval("location.hash = 'session=" + id + "'")
			p.see("article", "What changed")
			shoot("talk")
			for what, attention := range map[string][]any{
				"edit": {"permission", "Edit", editOfPicker()},
				"bash": {"permission", "Bash", object{"command": "psql \"$DATABASE_URL\" -v ON_ERROR_STOP=1 \\\n  -c 'drop index if exists slots_day_idx' \\\n  && go test ./src/slots -bench Free | tee bench.txt", "description": "Rebuild the slot index, then measure"}},
				"plan": {"plan", "ExitPlanMode", object{"plan": "# Plan\n\n1. Read `picker.go`\n2. Move the query\n3. Measure\n\nNothing else changes."}},
				"question": {"question", "AskUserQuestion", object{"questions": []object{
					{"question": "Which store should hold the sessions?", "options": []object{{"label": "Postgres", "description": "One more service, but it is there already"}, {"label": "SQLite", "description": "No service; one writer"}}},
					{"question": "Which parts come first?", "multiSelect": true, "options": []object{{"label": "Read", "description": "The list"}, {"label": "Write", "description": "The form"}}},
				}}},
			} {
				s.mu.Lock()
				s.ask(id, attention[0].(string), attention[1].(string), attention[2].(object))
				s.mu.Unlock()
				p.wait("document.querySelector('.ask button:enabled')")
				shoot(what)
				s.mu.Lock()
				s.event(object{"type": "attention:resolved", "attentionId": s.attention[0]["id"], "resolution": "cancelled"})
				s.attention = s.attention[1:]
				s.mu.Unlock()
				p.wait("!document.querySelector('.ask')")
			}
			s.mu.Lock()
			s.state(id, "busy")
			s.event(object{"type": "session:partial", "sessionId": id, "text": "The old picker is **still** there, behind"})
			s.mu.Unlock()
			p.see("#partial", "still")
			p.eval("document.getElementById('message').focus()")
			p.write("later: measure the page itself,\nnot only the handler.")
			p.click("#send", "")
			p.see(".sent", "not only the handler")
			p.eval("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
			p.write("And")
			shoot("busy")
			p.eval("location.hash = ''")
			p.eval("[...document.querySelectorAll('#rows a')].find((a) => a.innerText.includes('Seed data')).click()")
			p.see("#failure", "permission denied")
			shoot("error")
			p.eval("document.getElementById('new').click()")
			p.see("dialog", "Folder")
			shoot("new")
			s.cut()
		}
	}
}
