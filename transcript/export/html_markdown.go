package export

import (
	"bytes"
	"html"
	"net/url"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Limits for rendering a text as Markdown. Real answers are far below them.
const (
	maxMarkdown = 32 << 10 // bytes
	maxDepth    = 40       // levels of nested blocks and spans
	maxMarks    = 6000     // emphasis marks and brackets; parsing time is quadratic in their number
	maxTargets  = 600      // link targets; the parser may read to the end of the text for each one
	maxCells    = 30_000   // table cells, including those that the parser adds
)

// newMarkdown returns a renderer without raw HTML, images or scripts. Links go to web and mail addresses.
func newMarkdown() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
			extension.Strikethrough, extension.Linkify,
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(plainNodes{}, 1))),
	)
}

// renderMarkdown returns a clean Markdown text as HTML. ok is false beyond the limits.
func renderMarkdown(md goldmark.Markdown, src string) (out string, ok bool) {
	if len(src) > maxMarkdown || isCostly(src) {
		return "", false
	}
	b := []byte(src)
	doc := md.Parser().Parse(text.NewReader(b))
	if isDeep(doc) {
		return "", false
	}
	var page bytes.Buffer
	if md.Renderer().Render(&page, b, doc) != nil {
		return "", false
	}
	return page.String(), true
}

// isCostly reports whether parsing a text would take too long.
func isCostly(src string) bool {
	marks := strings.Count(src, "*") + strings.Count(src, "_") + strings.Count(src, "[") + strings.Count(src, "~")
	if marks > maxMarks || strings.Count(src, "](")+strings.Count(src, "][") > maxTargets {
		return true
	}
	columns, rows := 0, 0 // number of columns of the widest possible table head
	for row := range strings.SplitSeq(src, "\n") {
		if depth := strings.Count(row, ">") + leadingMarks(row); depth > 4*maxDepth {
			return true // the parser is slow in deep quotes and lists
		}
		if rows++; !strings.ContainsFunc(row, unicode.IsLetter) {
			columns = max(columns, strings.Count(row, "|")+1)
		}
	}
	return columns > 2 && columns*rows > maxCells
}

// leadingMarks returns the number of list marks at the start of a line.
func leadingMarks(row string) int {
	n := 0
	for _, word := range strings.Fields(row) {
		if word != "-" && word != "*" && word != "+" {
			break
		}
		n++
	}
	return n
}

// isDeep reports whether a document has too many levels.
func isDeep(doc ast.Node) bool {
	depth, deep := 0, false
	_ = ast.Walk(doc, func(_ ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			depth--
			return ast.WalkContinue, nil
		}
		if depth++; depth > maxDepth {
			deep = true
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return deep
}

// plainNodes renders raw HTML and unsafe links as text, and images as links.
type plainNodes struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (p plainNodes) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHTMLBlock, htmlBlock)
	reg.Register(ast.KindRawHTML, rawHTML)
	reg.Register(ast.KindImage, link)
	reg.Register(ast.KindLink, link)
	reg.Register(ast.KindAutoLink, autoLink)
	reg.Register(ast.KindFencedCodeBlock, codeBlock)
	reg.Register(ast.KindCodeBlock, codeBlock)
}

func htmlBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.HTMLBlock)
	if !ok || !entering {
		return ast.WalkContinue, nil
	}
	lines := string(n.Lines().Value(source))
	if n.HasClosure() {
		lines += string(n.ClosureLine.Value(source))
	}
	_, err := w.WriteString("<pre>" + html.EscapeString(strings.TrimRight(lines, "\n")) + "</pre>\n")
	return ast.WalkContinue, err
}

func rawHTML(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.RawHTML)
	if !ok || !entering {
		return ast.WalkContinue, nil
	}
	_, err := w.WriteString(html.EscapeString(string(n.Segments.Value(source))))
	return ast.WalkSkipChildren, err
}

func codeBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, err := w.WriteString("<pre><code>" + html.EscapeString(string(node.Lines().Value(source))) + "</code></pre>\n")
	return ast.WalkContinue, err
}

func link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	var target []byte
	switch n := node.(type) {
	case *ast.Link:
		target = n.Destination
	case *ast.Image:
		target = n.Destination
	}
	if !isSafe(string(target)) || withinLink(node) {
		return ast.WalkContinue, nil // write only the text
	}
	tag := "</a>"
	if entering {
		tag = openTag(string(target))
	}
	_, err := w.WriteString(tag)
	return ast.WalkContinue, err
}

func autoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.AutoLink)
	if !ok || !entering {
		return ast.WalkContinue, nil
	}
	target, label := string(n.URL(source)), html.EscapeString(string(n.Label(source)))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(target), "mailto:") {
		target = "mailto:" + target
	}
	if isSafe(target) && !withinLink(node) {
		label = openTag(target) + label + "</a>"
	}
	_, err := w.WriteString(label)
	return ast.WalkContinue, err
}

func openTag(target string) string {
	return `<a href="` + html.EscapeString(target) + `" rel="noopener noreferrer">`
}

// isSafe reports whether an address is a web or mail address.
func isSafe(target string) bool {
	u, err := url.Parse(target)
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return u.Host != ""
	case "mailto":
		return true
	}
	return false
}

// withinLink reports whether a link or image is in another link, which HTML doesn't allow.
func withinLink(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if k := p.Kind(); k == ast.KindLink || k == ast.KindImage {
			return true
		}
	}
	return false
}
