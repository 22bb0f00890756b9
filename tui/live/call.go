package live

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// callOf returns the tool call that a question is about, and the block that has the call.
func callOf(q *keeper.Attention) (call transcript.Call, block transcript.Block) {
	block = transcript.Block{Kind: transcript.BlockToolUse, ID: q.ToolUse, Name: q.Tool, Input: q.Input}
	return block.Call(nil), block
}

// asks describes a question in one line: the tool, its target, and the changed lines.
func asks(q *keeper.Attention, dir, home string) []render.Span {
	switch q.Kind {
	case keeper.AttentionQuestion:
		text := "Claude asks"
		call, _ := callOf(q)
		if list := call.Questions(); len(list) > 0 {
			text += ": " + list[0].Text
		}
		return []render.Span{{Ink: render.Text, Text: transcript.CleanLine(text)}}
	case keeper.AttentionPlan:
		return []render.Span{{Ink: render.Text, Text: "Claude has a plan"}}
	case keeper.AttentionPermission, keeper.AttentionCompletion, keeper.AttentionError:
	}
	call, _ := callOf(q)
	target := ""
	if file, _ := call.File(); file != "" {
		target = talk.Relative(file, dir, home)
	} else if p := call.Target(); p != nil {
		target, _, _ = strings.Cut(strings.TrimSpace(p.Text()), "\n")
	}
	spans := []render.Span{{Ink: render.Muted, Text: call.Verb() + "   "}, {Ink: render.Text, Text: transcript.CleanLine(target)}}
	return append(spans, changed(&call)...)
}

// changed returns the numbers of lines that an edit adds and removes, such as "+3 −1".
func changed(call *transcript.Call) []render.Span {
	d := call.Diff()
	if !d.Changes() {
		return nil
	}
	added, removed, _ := d.Count()
	return append([]render.Span{{Text: "  "}}, talk.LineCounts(added, removed)...)
}

// question returns the oldest open question of a session, or nil.
func question(s *keeper.Session) *keeper.Attention {
	for i := range s.Open {
		if s.Open[i].Asks() {
			return &s.Open[i]
		}
	}
	return nil
}

// drawCall draws a call: the tool and its target, and the input as in the reader.
func drawCall(q *keeper.Attention, dir string, width int, f *screen.Frame) []string {
	call, block := callOf(q)
	what, counts := transcript.CleanLine(q.Description), changed(&call)
	if file, _ := call.File(); file != "" {
		what = transcript.CleanLine(talk.Relative(file, dir, f.Home))
	}
	end := width - 2 - render.SpansWidth(counts)
	l := render.NewLine(f.Styles, width).To(3).Put(render.Strong, call.Verb())
	if what != "" {
		l.PutUntil(render.Text, "  "+what, end)
	}
	l.PutUntil(render.Muted, "  in "+render.Folder(dir, f.Home), end).Right(width-3, counts...)
	msg := transcript.Message{Role: transcript.RoleAssistant, Kind: transcript.Answer, Blocks: []transcript.Block{block}}
	body := talk.Message(&msg, talk.Start, talk.Options{
		Width: width - 1, Left: 1, Styles: f.Styles, Home: f.Home, Dir: dir, Folds: func(int) talk.Fold { return talk.Whole },
	})[1:] // without the first line, which also names the tool
	shown := len(body) > 1 || len(body) == 1 && !strings.HasSuffix(ansi.Strip(body[0]), " empty")
	if target := call.Target(); !shown && target != nil { // the first line already has the whole input
		body = nil
		for _, line := range render.Wrap(target.Text(), max(width-9, 1)) {
			body = append(body, render.NewLine(f.Styles, width).To(5).Put(render.Rule, "│ ").Put(render.Text, line).String())
		}
	}
	return append([]string{l.String(), ""}, body...)
}
