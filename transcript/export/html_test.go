package export_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/export"
)

// allowed returns the elements that a page may have, with their attributes.
func allowed() map[string][]string {
	list := map[string][]string{
		"html": {"lang"}, "meta": {"charset", "http-equiv", "content", "name"}, "article": {"id", "class"}, "a": {"href", "rel"},
		"p": {"class"}, "div": {"class"}, "details": {"class"}, "time": {"datetime"}, "ol": {"start"},
	}
	for _, plain := range []string{
		"head", "title", "style", "body", "header", "main", "h1", "h2", "h3", "h4", "h5", "h6", "dl", "dt", "dd", "summary", "pre", "code",
		"b", "em", "strong", "del", "ins", "ul", "li", "blockquote", "br", "hr", "table", "thead", "tbody", "tr", "th", "td",
	} {
		list[plain] = nil
	}
	return list
}

// checkPage checks elements, attributes and links. A link must point to a message, the web or a mail address.
func checkPage(t *testing.T, page string, messages int) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatalf("parse page: %v", err)
	}
	elements, articles := allowed(), 0
	for n := range doc.Descendants() {
		if n.Type == html.CommentNode {
			t.Errorf("comment %q", n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		attributes, ok := elements[n.Data]
		if !ok || n.Namespace != "" {
			t.Errorf("element <%s>", n.Data)
		}
		for _, a := range n.Attr {
			if !slices.Contains(attributes, a.Key) || a.Namespace != "" {
				t.Errorf("attribute %s=%q of <%s>", a.Key, a.Val, n.Data)
			}
			if a.Key == "href" {
				checkLink(t, a.Val)
			}
		}
		if n.Data == "article" {
			articles++
		}
	}
	if articles != messages {
		t.Errorf("%d articles for %d messages", articles, messages)
	}
	policy := `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`
	if strings.Count(page, "<style>") != 1 || strings.Count(page, policy) != 1 || strings.Count(page, "<meta ") != 4 {
		t.Error("the page hasn't exactly its own style and policy")
	}
}

func checkLink(t *testing.T, target string) {
	t.Helper()
	u, err := url.Parse(target)
	switch {
	case err != nil:
		t.Errorf("link to %q: %v", target, err)
	case u.Scheme == "" && strings.HasPrefix(target, "#m") && strings.Trim(target[2:], "0123456789") == "":
	case !slices.Contains([]string{"http", "https", "mailto"}, strings.ToLower(u.Scheme)):
		t.Errorf("link to %q", target)
	}
}

func FuzzHTML(f *testing.F) {
	for _, seed := range []string{
		"plain", "<script>alert(1)</script>", "</article></main><iframe src=x>", "![x](http://x/y.png) <img src=x onerror=y>",
		"[a](javascript:alert(1)) <javascript:x> [b](data:text/html,x) [c](//evil) [d](HTTP://x)", "</style></title></pre><svg onload=x>",
		"`</code>`\n\n```html\" onclick=x\n</pre><b>\n```\n", "| a | b |\n|:-|-:|\n| <x> | [y](z:w) |", "<!-- --><![CDATA[x]]><?php ?>",
		"[[a](http://a)](http://b) ![[x](http://y)](http://z)", strings.Repeat(">", 300) + "x", strings.Repeat("- ", 300) + "x",
		strings.Repeat("*a **b ", 200), "~~x~~ www.example.com a@b.c <a@b.c>", "\x00\x1b[31m\u202e\ufffe", "&lt;script&gt; &#60;b&#62;",
		"[x]: javascript:y\n[x]\n\n1. a\n1. b\n\n7) c", "<details open ontoggle=x>", "a\n===\n# b {onclick=x}\n", "<pre>\n</pre\n>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Skip()
		}
		block := func(kind transcript.BlockKind) transcript.Block {
			return transcript.Block{
				Kind: kind, Text: text, Name: text, Title: text, Media: text, Bytes: 3, ID: "1", CallID: "2", Raw: quoted,
				Input: json.RawMessage(`{"command":` + string(quoted) + `}`), Patch: []transcript.Hunk{{Lines: []string{"+" + text, "-" + text, text}}},
			}
		}
		var blocks []transcript.Block
		for _, kind := range []transcript.BlockKind{
			transcript.BlockText, transcript.BlockThinking, transcript.BlockToolUse, transcript.BlockToolResult, transcript.BlockImage,
			transcript.BlockDocument, transcript.BlockNotice, transcript.BlockUnknown,
		} {
			blocks = append(blocks, block(kind))
		}
		var items []export.Item
		for _, kind := range []transcript.MessageKind{transcript.Prompt, transcript.Answer, transcript.Summary, transcript.Notice} {
			m := &transcript.Message{ID: text, Kind: kind, Role: transcript.RoleUser, Thread: text, Blocks: blocks, Err: text, Gap: true, Unread: 2}
			if kind == transcript.Answer {
				m.Role = transcript.RoleAssistant
			}
			items = append(items, export.Item{Number: len(items) + 1, Message: m, Thread: &transcript.Thread{Kind: transcript.Branch, Name: text}})
		}
		var page bytes.Buffer
		s := &export.Session{ID: text, Title: text, Dir: text, Branch: text}
		if err := export.Write(&page, export.HTML, s, all(items)); err != nil {
			t.Fatal(err)
		}
		checkPage(t, page.String(), len(items))
	})
}

func all(items []export.Item) func(yield func(export.Item, error) bool) {
	return func(yield func(export.Item, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}
