package page

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	b := onDemand(t)
	w, p := newWorld(t), b.newTab(t, 1280, 800, false, "dark")
	p.open(w.url + "/#token=secret")
	p.see("#rows", "No sessions yet.")
	link := func(target, text string) string {
		return fmt.Sprintf(`<a href="%s" target="_blank" rel="noopener noreferrer" title="%s">%s</a>`, target, target, text)
	}
	for text, want := range map[string]string{
		"":                                      ``,
		"one\ntwo\n\nthree":                     "<p>one\ntwo</p><p>three</p>",
		"# A #\n### B":                          `<h3>A</h3><h5>B</h5>`,
		"a **b *c*** `d*e*` _f_ g_h_i ~~j~~":    `<p>a <strong>b <em>c</em></strong> <code>d*e*</code> <em>f</em> g_h_i <del>j</del></p>`,
		"2 * 3 * 4 and \\*a\\*, **open":         `<p>2 * 3 * 4 and *a*, **open</p>`,
		"`` a`b ``":                             "<p><code>a`b</code></p>",
		"- a\n- b\n  1. c\n  2. d\n\ne":         `<ul><li>a</li><li>b<ol start="1"><li>c</li><li>d</li></ol></li></ul><p>e</p>`,
		"3. a\n   ```\n   x\n\n   y\n   ```":    `<ol start="3"><li>a<pre tabindex="0"><code>x` + "\n\n" + `y</code></pre></li></ol>`,
		"- a\nb\n- [x] c":                       "<ul><li>a\nb</li>" + `<li class="task"><span class="box">✓ </span>c</li></ul>`,
		"```go\na := `<b>`\n~~~\n```\nend":      `<pre data-language="go" tabindex="0"><code>a := ` + "`&lt;b&gt;`\n~~~" + `</code></pre><p>end</p>`,
		"```\nnever closed":                     `<pre tabindex="0"><code>never closed</code></pre>`,
		"> a\n> > b\n\n---":                     `<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote><hr>`,
		"| a | b |\n|---|:-:|\n| c\\|d | `e` |": `<div class="table" tabindex="0"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c|d</td><td><code>e</code></td></tr></tbody></table></div>`,
		"[a **b**](https://x.example/(y))":      `<p>` + link("https://x.example/(y)", "a **b**") + `</p>`,
		"see https://x.example/y.":              `<p>see ` + link("https://x.example/y", "https://x.example/y") + `.</p>`,
		"[a](javascript:alert(1)) [b](data:x)":  `<p>a (javascript:alert(1)) b (data:x)</p>`,
		"<img src=x onerror=alert(1)><script>":  `<p>&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;</p>`,
		"![a](https://x.example/track.png)":     `<p>` + link("https://x.example/track.png", "a") + `</p>`,
	} {
		if got := p.eval(fmt.Sprintf("node('div', {}, markdown(%s)).innerHTML", quoted(text))); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
	for _, piece := range []string{"**a ", "`", "[", "_x", "* ", "> ", "- ", "  - ", "|", "~~a", "https://", "```\n"} {
		if got := p.eval(fmt.Sprintf("(() => { const start = performance.now(); markdown(%s.repeat(100000)); return performance.now() - start; })()", quoted(piece))); got.(float64) > 5000 {
			t.Errorf("100,000 times %q took %v ms", piece, got)
		}
	}
}

func TestDiff(t *testing.T) {
	b := onDemand(t)
	w, p := newWorld(t), b.newTab(t, 1280, 800, false, "dark")
	p.open(w.url + "/#token=secret")
	p.see("#rows", "No sessions yet.")
	for _, c := range [][3]string{
		{"", "", ""},
		{"", "a\nb", "+a+b"},
		{"a\nb\nc", "a\nc", " a-b c"},
		{"a\nb\nc\nd", "a\nx\nc\ny\nd", " a-b+x c+y d"},
		{"a\na", "a", " a-a"},
	} {
		if got := p.eval(fmt.Sprintf("diff(%s, %s).map((l) => l.join('')).join('')", quoted(c[0]), quoted(c[1]))); got != c[2] {
			t.Errorf("%q and %q: got %q, want %q", c[0], c[1], got, c[2])
		}
	}
	many := "Array.from({length: 4000}, (_, i) => i + '%s').join('\\n')"
	if got := p.eval(fmt.Sprintf("diff("+many+", "+many+").length", "a", "b")); got != 8000.0 {
		t.Errorf("4,000 changed lines are %v lines, want 8000", got)
	}
}

func quoted(text string) string {
	encoded, _ := json.Marshal(text)
	return string(encoded)
}

// TestPhone: a narrow screen shows the list or the conversation.
func TestPhone(t *testing.T) {
	b := onDemand(t)
	for _, width := range []int{390, 320} {
		w, p := newWorld(t), b.newTab(t, width, 844, true, "light")
		id := fill(w)
		p.open(w.url + "/#token=secret")
		p.click("#rows a", "Move the slot picker")
		p.see("article", "What changed")
		p.gone("#rows a", "")
		p.eval("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
		w.order(id, func(c *client) {
			c.ask("Bash", object{"command": strings.Repeat("word ", 50) + strings.Repeat("x", 300)})
		})
		p.see(".ask", "May Claude run this command?")
		if got := p.eval("[...document.querySelectorAll('#content > * > *, #compose, #head')].filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.outerHTML.slice(0, 100)).join()"); got != "" {
			t.Errorf("%d pixels: wider than the screen: %v", width, got)
		}
		small := "[...document.querySelectorAll('button, a.back, summary')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 24).map((e) => e.innerText).join()"
		if got := p.eval(small); got != "" {
			t.Errorf("%d pixels: too small for a finger: %v", width, got)
		}
		if got := p.eval("document.activeElement.tagName"); got != "BODY" && got != "A" {
			t.Errorf("%d pixels: %v has the focus, so a keyboard covers the messages", width, got)
		}
		p.click("#head .back", "")
		p.see("#rows a", "Move the slot picker")
		p.gone("article", "")
	}
}

func TestKeys(t *testing.T) {
	b := onDemand(t)
	w, p := newWorld(t), b.newTab(t, 1280, 800, false, "dark")
	fill(w)
	p.open(w.url + "/#token=secret")
	p.see("#rows a", "Fix refresh")
	focused := func(want string) {
		t.Helper()
		p.wait(fmt.Sprintf("document.activeElement.innerText.includes(%q)", want))
	}
	p.press("j")
	focused("Move the slot picker")
	p.press("j")
	p.press("ArrowDown")
	focused("The label printer")
	p.press("k")
	focused("Fix refresh")
	p.press("Enter")
	p.see("#head h1", "Fix refresh")
	p.wait("document.activeElement.id === 'message'")
	p.write("a draft with j and /")
	p.press("Escape")
	focused("Fix refresh")
	p.press("/")
	p.write("ferry")
	p.gone("#rows a", "Fix refresh")
	p.press("ArrowDown")
	focused("The feed drops")
	p.press("Enter")
	p.see("#head h1", "The feed drops")
	p.eval("history.back()")
	p.see("#head h1", "Fix refresh")
	p.wait("document.getElementById('message').value === 'a draft with j and /'")
}

// TestNames: screen readers need a name for every control.
func TestNames(t *testing.T) {
	b := onDemand(t)
	w, p := newWorld(t), b.newTab(t, 1280, 800, false, "dark")
	id := fill(w)
	p.open(w.url + "/#token=secret&session=" + id)
	p.see("article", "What changed")
	w.order(id, func(c *client) { c.prompt("question") })
	p.see(".ask", "Which store?")
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name struct{ Value any }
		}
	}
	p.decode(p.call("Accessibility.getFullAXTree", nil), &tree)
	found := map[string]int{}
	for _, n := range tree.Nodes {
		role := fmt.Sprint(n.Role.Value)
		if n.Ignored || !strings.Contains(" button link textbox searchbox radio checkbox DisclosureTriangle navigation main region form article ", " "+role+" ") {
			continue
		}
		found[role]++
		if n.Name.Value == nil || n.Name.Value == "" {
			t.Errorf("a %s has no name", role)
		}
	}
	for _, role := range []string{"button", "link", "textbox", "searchbox", "radio", "navigation", "main", "form", "article"} {
		if found[role] == 0 {
			t.Errorf("there is no %s: %v", role, found)
		}
	}
	p.wait("document.getElementById('news').innerText.includes('Claude asks')") // announced
}
