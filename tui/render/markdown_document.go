package render

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// MarkdownDocument is like Markdown, for a document. It leaves out comments, shows emphasis in italics, and joins the
// lines of a paragraph. It doesn't join lines of quotations, or lines that start with a name in bold.
func MarkdownDocument(text string, width, codeWidth int, s *Styles) []string {
	return markdown(text, width, codeWidth, s, true)
}

// cutting is a range of a text, and the text to replace it with.
type cutting struct {
	from, to int
	with     string
}

// joined removes comments and joins the lines of each paragraph. A text beyond the limits isn't changed.
func joined(src string) string {
	b := []byte(src)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.DefinitionList)).Parser().Parse(text.NewReader(b))
	if isBeyond(doc) {
		return src
	}
	var cuts []cutting
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the callback never returns an error
		switch n := n.(type) {
		case *ast.HTMLBlock:
			if entering && n.HTMLBlockType == ast.HTMLBlockType2 {
				cuts = append(cuts, commentOf(n, src)...)
			}
		case *ast.RawHTML:
			if entering {
				cuts = append(cuts, commentIn(n, src)...)
			}
		case *ast.Blockquote, *ast.CodeBlock, *ast.FencedCodeBlock:
			return ast.WalkSkipChildren, nil
		case *ast.Paragraph, *ast.TextBlock:
			if entering && (isIn(n, ast.KindDocument) || isIn(n, ast.KindListItem)) {
				cuts = append(cuts, breaksOf(n.Lines(), src)...)
			}
		}
		return ast.WalkContinue, nil
	})
	slices.SortFunc(cuts, func(a, b cutting) int { return a.from - b.from })
	var out strings.Builder
	at := 0
	for _, c := range cuts {
		if c.from < at {
			continue // the break is inside a removed comment
		}
		out.WriteString(src[at:c.from] + c.with)
		at = c.to
	}
	return out.String() + src[at:]
}

// commentOf returns the cutting for a comment block. Text after the comment is kept.
func commentOf(n *ast.HTMLBlock, src string) []cutting {
	if n.Lines().Len() == 0 {
		return nil
	}
	from, to := n.Lines().At(0).Start, n.Lines().At(n.Lines().Len()-1).Stop
	if n.HasClosure() {
		to = n.ClosureLine.Stop
	}
	to = min(to, len(src))
	if i := strings.LastIndex(src[from:to], "-->"); i >= 0 {
		to = from + i + len("-->")
	}
	return []cutting{{from, to, ""}}
}

// commentIn returns the cuttings for a comment within a line.
func commentIn(n *ast.RawHTML, src string) []cutting {
	if n.Segments.Len() == 0 || !strings.HasPrefix(src[n.Segments.At(0).Start:], "<!--") {
		return nil
	}
	var cuts []cutting
	for i := range n.Segments.Len() {
		seg := n.Segments.At(i)
		cuts = append(cuts, cutting{seg.Start, seg.Stop, ""})
	}
	return cuts
}

// isNamed reports whether a line starts with a name in bold.
func isNamed(line string) bool {
	return regexp.MustCompile(`^\*\*[^*]+(:\*\*|\*\*:)`).MatchString(line)
}

// breaksOf returns cuttings that replace the line breaks of a paragraph by spaces.
func breaksOf(lines *text.Segments, src string) []cutting {
	var cuts []cutting
	for i := range max(lines.Len()-1, 0) {
		seg, next := lines.At(i), lines.At(i+1)
		if seg.Padding+next.Padding > 0 || next.Start < seg.Stop {
			continue
		}
		line := strings.TrimRight(src[seg.Start:seg.Stop], "\r\n")
		if strings.HasSuffix(line, "  ") || strings.HasSuffix(line, `\`) || isNamed(src[next.Start:next.Stop]) {
			continue
		}
		end := seg.Start + len(strings.TrimRight(line, " \t"))
		cuts = append(cuts, cutting{end, next.Start, " "})
	}
	return cuts
}
