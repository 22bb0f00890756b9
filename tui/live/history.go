package live

import (
	"encoding/json"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// unwritten has the messages that aren't in the transcript yet. They are drawn below the reader and above the
// unfinished answer.
type unwritten struct {
	messages []transcript.Message
	version  int // version of the outline when messages was computed
	streamed int // number of changes of keeper.Session.Records
	joined   int // value of streamed when messages was computed
	pretty
	rendering bool // a command is rendering markdown
}

// pretty is the start of the unfinished answer, rendered as markdown.
type pretty struct {
	text  string
	lines []string
	width int
	theme render.Theme
}

// join computes messages again if the transcript or the stream has changed.
func (u *unwritten) join(end opened.End, records []json.RawMessage) {
	if u.version != end.Version || u.joined != u.streamed {
		u.version, u.joined = end.Version, u.streamed
		u.messages = keeper.Messages(keeper.Join(func(uuid string) bool { return slices.Contains(end.Records, uuid) }, records))
	}
}

// draw draws the unwritten messages and the unfinished answer. after is the ending of the message above.
func (u *unwritten) draw(partial string, after talk.Ending, o talk.Options) (lines []string) {
	messages := slices.Clone(u.messages)
	if partial != "" {
		messages = append(messages, answerOf(partial))
	}
	o.Blocks = func(_ int, text string, _, _ int) []string {
		if text == u.text && o.Width == u.width && o.Styles.Theme == u.theme {
			return u.lines
		}
		return nil
	}
	for i := range messages {
		m := &messages[i]
		m.Blocks = u.split(m.Blocks)
		d := talk.Draw(m, after, o)
		lines, after = append(lines, d.Lines...), d.End
	}
	return lines
}

func answerOf(text string) transcript.Message {
	return transcript.Message{
		Role: transcript.RoleAssistant, Kind: transcript.Answer, Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: text}},
	}
}

// split moves the text that is already rendered as markdown into a separate block.
func (u *unwritten) split(blocks []transcript.Block) []transcript.Block {
	i := slices.IndexFunc(blocks, func(b transcript.Block) bool {
		return b.Kind == transcript.BlockText && strings.HasPrefix(b.Text, u.text)
	})
	if i < 0 || u.text == "" {
		return blocks
	}
	head, rest := blocks[i], blocks[i]
	head.Text, rest.Text = u.text, strings.TrimLeft(rest.Text[len(u.text):], "\n")
	if rest.Text == "" {
		return blocks
	}
	return slices.Concat(blocks[:i], []transcript.Block{head, rest}, blocks[i+1:])
}

// prettify returns a command that renders the complete paragraphs of the unfinished answer. It returns nil without a
// new paragraph, or while such a command is running.
func (u *unwritten) prettify(partial string, markdown Markdown, o talk.Options) []screen.Effect {
	p := pretty{text: paragraphs(partial), width: o.Width, theme: o.Styles.Theme}
	if u.rendering || p.text == "" || p.text == u.text && p.width == u.width && p.theme == u.theme {
		return nil
	}
	u.rendering = true
	o.Blocks = func(_ int, text string, prose, code int) []string {
		p.lines = markdown(text, prose, code, o.Styles)
		return p.lines
	}
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		m := answerOf(p.text)
		talk.Draw(&m, talk.Start, o)
		return p
	})}
}

// paragraphs returns the complete paragraphs at the start of a text.
func paragraphs(text string) string {
	end := strings.LastIndex(text, "\n\n")
	for end >= 0 && strings.Count(text[:end], "```")%2 != 0 { // the blank line is in a block of code
		end = strings.LastIndex(text[:end], "\n\n")
	}
	return text[:max(end, 0)]
}
