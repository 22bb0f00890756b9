package cli

import (
	"testing"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
)

func TestAttentions(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write("src/x.go", "package x\n")
	w.write("grimoires/loa/NOTES.md", "# Notes\n")
	live := func(tokens, base int64, more func(*sessions.Row)) sessions.Row {
		return row("s", "x", in(w.project, w.path("src")), func(r *sessions.Row) {
			r.Live, r.ContextTokens, r.ContextBase = &sessions.Live{PID: 1}, tokens, base
			if more != nil {
				more(r)
			}
		})
	}
	rows := []sessions.Row{
		live(20_000, 16_000, nil), live(21_000, 16_000, nil), live(26_000, 16_000, nil), live(31_000, 16_000, nil),
		live(0, 0, nil), live(9_000, 0, nil),
		live(99_000, 16_000, func(r *sessions.Row) { r.Live = nil }),
		live(99_000, 16_000, func(r *sessions.Row) { r.Workdir = "" }),
		live(99_000, 16_000, func(r *sessions.Row) { r.Kind = sessions.KindBackup }),
		live(12_000, 16_000, nil), // fewer than at the base: a part was cleared
	}
	level := func(r *sessions.Row) string {
		if r.Attention == nil {
			return ""
		}
		return r.Attention.Level
	}
	d := w.deps()
	(&place.Attentions{Env: d.Env}).Fill(t.Context(), rows)
	for i, want := range []string{"green", "yellow", "orange", "red", "", "", "", "", "", "green"} {
		if got := level(&rows[i]); got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	if a := rows[1].Attention; a.Used != 5_000 || a.Fresh != 5_000 || !a.Due || rows[0].Attention.Due {
		t.Errorf("%+v, %+v", rows[0].Attention, a)
	}
	bare := newNoteWorld(t)
	other := []sessions.Row{live(99_000, 16_000, func(r *sessions.Row) { r.Workdir = bare.project })}
	(&place.Attentions{Env: bare.deps().Env}).Fill(t.Context(), other)
	if a := other[0].Attention; a == nil || a.Level != "red" || a.Due {
		t.Errorf("without a ledger: %+v", a)
	}
	w.write(".loa.config.yaml", "attention_budget:\n  yellow: 1000\n  orange: 2000\n  red: 4000\n")
	(&place.Attentions{Env: w.deps().Env}).Fill(t.Context(), rows)
	if got := level(&rows[0]); got != "red" {
		t.Errorf("with the config of the project: %q", got)
	}
	w.write(".loa.config.yaml", "attention_budget: [\n")
	(&place.Attentions{Env: w.deps().Env}).Fill(t.Context(), rows)
	if got := level(&rows[0]); got != "green" {
		t.Errorf("with a config that cannot be read: %q", got)
	}
}

func TestAttentionsKept(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	a := &place.Attentions{Env: w.deps().Env}
	rows := []sessions.Row{row("s", "x", in(w.project, w.project), func(r *sessions.Row) {
		r.Live, r.ContextTokens, r.ContextBase = &sessions.Live{PID: 1}, 17_000, 16_000
	})}
	a.Fill(t.Context(), rows)
	w.write(".loa.config.yaml", "attention_budget:\n  yellow: 10\n  orange: 20\n  red: 30\n")
	a.Fill(t.Context(), rows) // the test clock has not advanced
	if rows[0].Attention.Level != "green" {
		t.Errorf("%+v", rows[0].Attention)
	}
	for range 100 { // on a busy machine, Fill may reach its time limit
		k := a.Of[w.project]
		k.At = k.At.Add(-place.AttentionFor)
		a.Of[w.project] = k
		if a.Fill(t.Context(), rows); rows[0].Attention.Level == "red" {
			break
		}
	}
	if rows[0].Attention.Level != "red" {
		t.Errorf("%+v", rows[0].Attention)
	}
}
