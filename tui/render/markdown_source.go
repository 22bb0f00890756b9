package render

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/continuo-tui/continuo/transcript"
)

// sourcePart is a top-level code block, a table, or the text between two of these.
type sourcePart struct {
	text  string
	code  bool
	table bool
	alone bool // the part is only a table
	lang  string
}

// a line separator
const partMark = string(rune(0x2028)) // a line separator

// Limits that keep rendering fast. A text beyond a limit isn't rendered as markdown. The slowest known text within the
// limits takes half a second. Among 2,356 real texts, the maxima are 343 blocks, 749 spans and ten nested blocks.
const (
	// maxBlocks is the maximum number of blocks. Glamour's time is quadratic in this number: 800 headings take 0.15 s,
	// 8,000 take 14 s.
	maxBlocks = 1000
	// maxSpans is the maximum number of text pieces, emphases, links and code spans. 2,000 take 60 ms, 24,000 take 3 s.
	maxSpans = 2000
	// maxDepth is the maximum nesting of blocks and spans, including the document. 100 nested quotations take 2.5 s,
	// 200 take 9 s.
	maxDepth = 12
	// maxLayers is the maximum cost of indentation: the sum of the squared nesting levels of all lines. A sum of 40,000
	// takes 0.25 s, 260,000 takes 0.8 s.
	maxLayers = 40_000
	// maxMarks is the maximum number of emphasis marks and brackets. The parser's time is quadratic in this number:
	// 16,000 take 0.4 s.
	maxMarks = 6000
	// maxTargets is the maximum number of link targets. The parser may read the remaining text for each target: 8,000
	// take 1.4 s.
	maxTargets = 600
	// maxCells is the maximum number of table cells. The parser adds empty cells to short rows: 7.5 million cells take
	// 7 s.
	maxCells = 30_000
)

// isCostly reports whether parsing a text would take too long.
func isCostly(src string) bool {
	marks := strings.Count(src, "*") + strings.Count(src, "_") + strings.Count(src, "[")
	if marks > maxMarks || strings.Count(src, "](")+strings.Count(src, "][") > maxTargets {
		return true
	}
	columns := 0 // columns of the widest possible table head
	for row := range strings.SplitSeq(src, "\n") {
		if !strings.ContainsFunc(row, unicode.IsLetter) {
			columns = max(columns, strings.Count(row, "|")+1)
		}
	}
	return columns > 2 && columns*strings.Count(src, "\n") > maxCells
}

// isBeyond reports whether a document has too many blocks, spans or nesting levels for glamour.
func isBeyond(doc ast.Node) bool {
	blocks, spans, depth, layers := 0, 0, 0, 0
	beyond := false
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			depth--
			return ast.WalkContinue, nil
		}
		depth++
		if n.Type() == ast.TypeInline {
			spans++
		} else {
			blocks++
			layers += (depth - 1) * (depth - 1) * (1 + n.Lines().Len())
		}
		if beyond = blocks > maxBlocks || spans > maxSpans || depth > maxDepth || layers > maxLayers; beyond {
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return beyond
}

// splitSource splits a markdown text at its top-level code blocks. It escapes text that glamour would drop or change,
// such as HTML tags. It returns nil for a text beyond the limits.
func splitSource(src string) []sourcePart {
	if isCostly(src) {
		return nil
	}
	b := []byte(src)
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.DefinitionList))
	ctx := parser.NewContext()
	doc := md.Parser().Parse(text.NewReader(b), parser.WithContext(ctx))
	if isBeyond(doc) {
		return nil
	}
	s := source{text: b, whole: len(ctx.References()) > 0}
	_ = ast.Walk(doc, s.visit) // visit returns no error
	s.entities()
	return s.parts()
}

// source collects the changes to a markdown text before glamour renders it.
type source struct {
	text   []byte
	whole  bool // a text with link definitions can't be split
	tables bool // a table isn't a separate part
	blocks []codeBlock
	raw    []text.Segment // code, with entities as plain text
	insert []insertion
}

type codeBlock struct {
	start, end int // range of the block, including the fences
	code, lang string
	table      bool // the block is a table and code is empty
}

type insertion struct {
	at   int
	text string
}

func (s *source) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		block, ok := s.fenced(n)
		if ok && !s.whole {
			s.blocks = append(s.blocks, block)
		} else {
			s.escapeCode(n.Lines())
		}
	case *east.Table:
		block, ok := s.table(n)
		if ok && !s.whole {
			s.blocks = append(s.blocks, block)
		} else {
			s.tables = true
		}
	case *ast.Paragraph:
		if isIn(n, ast.KindListItem) && n.PreviousSibling() != nil && n.Lines().Len() > 0 {
			s.insert = append(s.insert, insertion{n.Lines().At(0).Start, partMark})
		}
	case *ast.CodeBlock:
		s.escapeCode(n.Lines())
	case *ast.CodeSpan:
		s.escapeSpan(n)
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			s.escapeAll(n.Segments.At(i), '<', `\`, 0)
		}
	case *ast.HTMLBlock:
		for i := range n.Lines().Len() {
			s.escapeAll(n.Lines().At(i), '<', `\`, 0)
		}
		if n.HasClosure() {
			s.escapeAll(n.ClosureLine, '<', `\`, 0)
		}
	}
	return ast.WalkContinue, nil
}

// escapeSpan escapes the entities in a code span.
func (s *source) escapeSpan(n *ast.CodeSpan) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			s.escapeAll(t.Segment, '&', "amp;", 1)
		}
	}
}

// escapeCode doubles the backslashes in a code block that glamour draws.
func (s *source) escapeCode(lines *text.Segments) {
	for i := range lines.Len() {
		s.raw = append(s.raw, lines.At(i))
		s.escapeAll(lines.At(i), '\\', `\`, 0)
	}
}

// escapeAll inserts a text before each byte c of a segment. If offset is 1, the text is after c.
func (s *source) escapeAll(seg text.Segment, c byte, with string, offset int) {
	for i := seg.Start; i < min(seg.Stop, len(s.text)); i++ {
		if s.text[i] == c {
			s.insert = append(s.insert, insertion{i + offset, with})
		}
	}
}

// fenced returns the range of a top-level fenced code block.
func (s *source) fenced(n *ast.FencedCodeBlock) (codeBlock, bool) {
	lines := n.Lines()
	if n.Parent() == nil || n.Parent().Kind() != ast.KindDocument || lines.Len() == 0 {
		return codeBlock{}, false
	}
	first, last := lines.At(0), lines.At(lines.Len()-1)
	opening := s.lineStart(first.Start)
	if opening == 0 {
		return codeBlock{}, false
	}
	b := codeBlock{start: s.lineStart(opening - 1), end: min(last.Stop, len(s.text)), lang: string(n.Language(s.text))}
	var code bytes.Buffer
	for i := range lines.Len() {
		seg := lines.At(i)
		code.Write(seg.Value(s.text))
	}
	b.code = code.String()
	closing := s.text[b.end:]
	if i := bytes.IndexByte(closing, '\n'); i >= 0 {
		closing = closing[:i+1]
	}
	if t := strings.TrimLeft(string(closing), " "); strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
		b.end += len(closing)
	}
	return b, true
}

func isIn(n ast.Node, kind ast.NodeKind) bool {
	return n.Parent() != nil && n.Parent().Kind() == kind
}

// table returns the range of a top-level table.
func (s *source) table(n *east.Table) (codeBlock, bool) {
	if !isIn(n, ast.KindDocument) {
		return codeBlock{}, false
	}
	first, last := len(s.text), -1
	_ = ast.Walk(n, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok {
			first, last = min(first, t.Segment.Start), max(last, t.Segment.Stop)
		}
		return ast.WalkContinue, nil
	})
	if last < 0 {
		return codeBlock{}, false
	}
	b := codeBlock{start: s.lineStart(first), end: last, table: true}
	for b.end < len(s.text) { // include the end of the line, and empty rows
		if i := bytes.IndexByte(s.text[b.end:], '\n'); i >= 0 {
			b.end += i + 1
		} else {
			b.end = len(s.text)
		}
		if next := bytes.TrimLeft(s.text[b.end:], " "); len(next) == 0 || next[0] != '|' {
			break
		}
	}
	return b, true
}

func (s *source) lineStart(i int) int {
	return bytes.LastIndexByte(s.text[:i], '\n') + 1
}

// entities escapes numeric entities for control characters, so that "&#27;" is shown as it is written.
func (s *source) entities() {
	for i := 0; i+2 < len(s.text); i++ {
		if s.text[i] != '&' || s.text[i+1] != '#' {
			continue
		}
		if !safeEntity(s.text[i+2:]) && !s.inRaw(i) {
			s.insert = append(s.insert, insertion{i + 1, "amp;"})
		}
	}
}

func (s *source) inRaw(i int) bool {
	return slices.ContainsFunc(s.raw, func(seg text.Segment) bool { return seg.Start <= i && i < seg.Stop })
}

// safeEntity reports whether the character of a numeric entity may be sent to a terminal.
func safeEntity(b []byte) bool {
	base := 10
	if len(b) > 0 && (b[0] == 'x' || b[0] == 'X') {
		base, b = 16, b[1:]
	}
	end := 0
	for end < len(b) && strings.IndexByte("0123456789abcdefABCDEF", b[end]) >= 0 && (base == 16 || b[end] <= '9') {
		end++
	}
	n, err := strconv.ParseUint(string(b[:end]), base, 21)
	if err != nil {
		return end == 0 // without a number, this isn't an entity
	}
	c := string(rune(n))
	return n >= ' ' && transcript.Clean(c) == c
}

// parts applies the insertions and splits the text at the code blocks.
func (s *source) parts() []sourcePart {
	slices.SortFunc(s.insert, func(a, b insertion) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.text, b.text))
	})
	s.insert = slices.Compact(s.insert)
	var parts []sourcePart
	at := 0
	for _, b := range s.blocks {
		parts = append(parts, sourcePart{text: s.escaped(at, b.start), table: s.tables})
		if b.table {
			parts = append(parts, sourcePart{text: s.escaped(b.start, b.end), table: true, alone: true})
		} else {
			parts = append(parts, sourcePart{text: b.code, code: true, lang: b.lang})
		}
		at = b.end
	}
	parts = append(parts, sourcePart{text: s.escaped(at, len(s.text)), table: s.tables})
	return slices.DeleteFunc(parts, func(p sourcePart) bool { return strings.TrimSpace(p.text) == "" })
}

func (s *source) escaped(from, to int) string {
	var b strings.Builder
	for _, in := range s.insert {
		if in.at < from || in.at > to || in.at == to && to < len(s.text) {
			continue
		}
		b.Write(s.text[from:in.at])
		b.WriteString(in.text)
		from = in.at
	}
	b.Write(s.text[from:to])
	return b.String()
}
