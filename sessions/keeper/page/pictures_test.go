package page

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// fill adds sessions of all states. It returns the ID of one that has all kinds of messages and a client.
func fill(w *world) (id string) {
	for i, e := range []struct {
		prompt, dir string
		state       sessions.State
		old         time.Duration
	}{
		{"Move the slot picker to the server", "teahouse", sessions.StateOK, 0},
		{"Fix refresh token race at midnight", "teahouse", sessions.StateOK, 40 * time.Second},
		{"The label printer prints twice", "pantry", sessions.StateOK, 26 * time.Minute},
		{"Add a cancellation window to bookings", "teahouse", sessions.StateOK, time.Hour},
		{"Why is the nightly export slow?", "teahouse", sessions.StateOK, 3 * time.Hour},
		{"Split the booking handler from the router and keep the old routes for a month", "teahouse", sessions.StateOK, 26 * time.Hour},
		{"Rewrite the waitlist e-mails", "teahouse", sessions.StateDamaged, 30 * time.Hour},
		{"The feed drops every second stop", "ferry", sessions.StateOK, 90 * time.Hour},
		{"", "ferry", sessions.StateEmpty, 100 * time.Hour},
		{"Seed data for the demo tenant", "teahouse", sessions.StateUnreadable, 130 * time.Hour},
		{"Bump the toolchain, fix what vet finds", "teahouse", sessions.StateOK, 900 * time.Hour},
	} {
		row := &sessions.Row{Session: sessions.Session{
			ID: w.uuid(), Prompt: e.prompt, Workdir: filepath.Join(w.root, e.dir), State: e.state, Messages: 7*i + 3, Created: time.Now().Add(-e.old), Modified: time.Now().Add(-e.old),
			Reason: "open /home/dev/.claude/projects/-home-dev-code-teahouse/x.jsonl: permission denied",
		}}
		if i == 3 {
			row.Live = &sessions.Live{PID: 4711, Started: time.Now()}
		}
		w.add(row)
		switch i {
		case 0:
			id = row.ID
		case 1:
			w.order(row.ID, func(c *client) { c.record(w.uuid(), "user", e.prompt) }) // busy
		case 2:
			w.order(row.ID, func(c *client) { c.say("Ready."); c.finish() })
		}
	}
	w.order(id, func(c *client) {
		use := func(name string, input object) {
			c.say([]object{{"type": "tool_use", "id": w.uuid(), "name": name, "input": input}})
		}
		c.record(w.uuid(), "user", "Go ahead, but leave the old picker behind a flag until the page is measured.")
		use("Read", object{"file_path": c.dir + "/src/slots/picker.go", "limit": 140})
		use("Grep", object{"pattern": "SlotPicker"})
		c.say("The picker only needs the day and the party size, so the server can send ready rows. I keep the old one behind `slots.client_side`:")
		use("Edit", pickerEdit(c.dir))
		c.say("## What changed\n\nThe server answers in **0.19 ms** instead of 2.9 ms, so the page *no longer* waits:\n\n- `Free` filters in the database, by day and party size;\n- the response is no longer cached, because\n  a slot can be gone a second later:\n  1. first one\n  2. second, see [the docs](https://example.com/docs)\n- [x] done\n- [ ] open\n\n| benchmark | before | after |\n|---|---|---|\n| Free | 2.9 ms | 0.19 ms |\n| All | 4.0 ms | 3.8 ms |\n\n```go\nfunc (h *Handler) Slots(w http.ResponseWriter, r *http.Request) {\n\trows := h.store.Free(r.Context(), q.Day, q.Party)\n\twriteJSON(w, rows)\n}\n```\n\n> Not done: `docs/auth.md` still says 60 s.")
	})
	return id
}

// pickerEdit is the input of an Edit call.
func pickerEdit(dir string) object {
	return object{
		"file_path":  dir + "/src/slots/picker.go",
		"old_string": "func (h *Handler) Slots(w, r) {\n\tall := h.store.All(r.Context())\n\tw.Header().Set(\"Cache-Control\", \"max-age=60\")\n\twriteJSON(w, all)\n}",
		"new_string": "func (h *Handler) Slots(w, r) {\n\tif h.flags.On(\"slots.client_side\") {\n\t\th.slotsClientSide(w, r)\n\t\treturn\n\t}\n\tq, err := slotQuery(r)\n\tif err != nil { badRequest(w, err); return }\n\trows := h.store.Free(r.Context(), q.Day, q.Party)\n\twriteJSON(w, rows)\n}",
	}
}

// TestPictures writes pictures into $CONTINUO_SHOTS.
func TestPictures(t *testing.T) {
	if os.Getenv("CONTINUO_SHOTS") == "" {
		t.Skip("set CONTINUO_SHOTS to a directory")
	}
	b := startBrowser(t)
	for _, scheme := range []string{"dark", "light"} {
		for name, p := range map[string]*tab{"desktop": b.newTab(t, 1280, 800, false, scheme), "phone": b.newTab(t, 390, 844, true, scheme)} {
			w := newWorld(t)
			id := fill(w)
			shoot := func(what string) { p.shoot(fmt.Sprintf("%s-%s-%s", name, scheme, what)) }
			p.open(w.url + "/#token=secret")
			p.see("#rows a", "Seed data")
			shoot("list")
			p.eval("location.hash = 'session=" + id + "'")
			p.see("article", "What changed")
			shoot("talk")
			for what, ask := range map[string]func(c *client){
				"edit": func(c *client) { c.ask("Edit", pickerEdit(c.dir)) },
				"bash": func(c *client) {
					c.ask("Bash", object{"command": "psql \"$DATABASE_URL\" -v ON_ERROR_STOP=1 \\\n  -c 'drop index if exists slots_day_idx' \\\n  && go test ./src/slots -bench Free | tee bench.txt", "description": "Rebuild the slot index, then measure"})
				},
				"plan":     func(c *client) { c.prompt("plan") },
				"question": func(c *client) { c.prompt("question") },
			} {
				w.order(id, ask)
				p.wait("document.querySelector('.ask button:enabled')")
				shoot(what)
				p.click(".denial button", "")
				p.wait("!document.querySelector('.ask')")
			}
			w.order(id, func(c *client) {
				c.record(w.uuid(), "user", "What about the old picker?")
				c.partial("The old picker is **still** there, behind")
			})
			p.see("#partial", "still")
			p.eval("document.getElementById('message').focus()")
			p.write("Then measure the page itself,\nnot only the handler.")
			p.click("#send", "")
			p.see(".sent", "not only the handler")
			p.write("And")
			shoot("busy")
			p.eval("location.hash = ''")
			p.eval("[...document.querySelectorAll('#rows a')].find((a) => a.innerText.includes('Seed data')).click()")
			p.see("#failure", "permission denied")
			shoot("error")
			p.eval("document.getElementById('new').click()")
			p.see("dialog", "Folder")
			shoot("new")
			p.eval("document.getElementById('dialog').close()")
			p.open("about:blank")
		}
	}
}
