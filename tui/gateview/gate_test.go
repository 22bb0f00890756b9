package gateview

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

type reported struct{ report gate.Report }

func (r reported) Gate(context.Context, string, Ask) (gate.Report, error) { return r.report, nil }

func testNow() time.Time { return time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC) }

func opened(t *testing.T, r gate.Report) *Page {
	t.Helper()
	p := New(Options{Context: t.Context(), Gates: reported{r}, Now: testNow, Dir: "/p"})
	fit(p)
	ran(p, p.Open())
	return p
}

func ran(p *Page, effects []screen.Effect) {
	for _, e := range effects {
		if cmd, ok := e.(screen.Cmd); ok {
			msg := cmd()
			if _, tick := msg.(clockMsg); !tick {
				p.Took(msg)
			}
			break // the second command only waits
		}
	}
	fit(p)
}

func fit(p *Page) {
	p.Fit(screen.Frame{
		Width: 120, Height: 36, Front: true, Styles: render.NewStyles(render.Dark), Now: testNow(),
		Layout: screen.Layout{Body: screen.Rect{X: 0, Y: 4, W: 120, H: 30}},
	})
}

func do(t *testing.T, p *Page, key string) {
	t.Helper()
	for _, b := range p.Keys() {
		for _, k := range b.Keys {
			if k == key && !b.Gone {
				ran(p, p.Do(b.Do))
				return
			}
		}
	}
	t.Fatalf("no key %s", key)
}

func TestGateThousand(t *testing.T) {
	t.Parallel()
	r := gate.Report{Mode: gate.Full, Verdict: gate.Rejected, Steps: []gate.Step{{N: 1, Status: gate.Pass}, {N: 2, Status: gate.Fail}}}
	for i := range 1000 {
		r.Steps[1].Findings = append(r.Steps[1].Findings, gate.Finding{Title: fmt.Sprintf("Decision %d", i), Line: i + 1, Fix: "point it at the line where it now stands"})
	}
	p := opened(t, r)
	p.View()
	if p.drew > 60 {
		t.Errorf("%d blocks are drawn at first", p.drew)
	}
	for _, k := range []string{"j", "k", "pgdown", "pgup", "G", "g", "j", "z", "z", "ctrl+r", "ctrl+d"} {
		was := p.drew
		if do(t, p, k); p.drew-was > 60 {
			t.Errorf("%s draws %d blocks", k, p.drew-was)
		}
		p.View()
	}
	do(t, p, "g")
	do(t, p, "j")
	for range 40 {
		was := p.drew
		do(t, p, "j")
		if p.View(); p.drew-was > 12 {
			t.Fatalf("j draws %d blocks", p.drew-was)
		}
	}
	if _, got := p.Bar(); got == nil || got.Title != "Decision 39" {
		t.Errorf("the bar is on %+v", got)
	}
}
