// Svg converts the output of `tmux capture-pane -e -p` to an SVG. The SVG contains no font, script or date, so the same
// screen always gives the same file.
//
//	svg -cols 120 -title 'The list' <screen.ansi >screen.svg
//
// Every run of text has its own position and length, so columns stay aligned in any monospaced font. Box-drawing
// characters are drawn as paths, so their lines meet at any row height.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Measures of a cell in pixels. A monospaced cell is about 0.6 em wide.
const (
	cellWidth  = 8.4
	cellHeight = 18
	fontSize   = 14
	baseline   = 13.5
	margin     = 14
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "svg:", err)
		os.Exit(2)
	}
}

func run(args []string, in io.Reader, out, usage io.Writer) error {
	flags := flag.NewFlagSet("svg", flag.ContinueOnError)
	flags.SetOutput(usage)
	p := picture{}
	flags.IntVar(&p.cols, "cols", 80, "columns of the screen")
	flags.StringVar(&p.title, "title", "", "title of the picture")
	flags.StringVar(&p.page, "page", "#14161a", "background colour")
	flags.StringVar(&p.ink, "ink", "#d3d7de", "text colour")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if p.cols < 1 || flags.NArg() > 0 {
		return errors.New("takes no arguments, and -cols must be at least 1")
	}
	screen, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read the screen: %w", err)
	}
	p.draw(string(screen))
	w := bufio.NewWriter(out)
	p.write(w)
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write the picture: %w", err)
	}
	return nil
}

// style is the style of a cell, from SGR sequences. The colour "" is the terminal's default.
type style struct {
	ink, ground                                 string
	bold, dim, italic, underline, gone, swapped bool
}

// picture collects the SVG elements of a screen.
type picture struct {
	cols             int
	title, page, ink string
	rows             int
	grounds, marks   bytes.Buffer // SVG elements: the backgrounds, and everything above
}

// span is a run of cells with the same style.
type span struct {
	row, col, width int
	text            string
	style           style
}

func (p *picture) draw(screen string) {
	var st style
	for line := range strings.Lines(strings.TrimRight(screen, "\n") + "\n") {
		s := span{row: p.rows, style: st}
		col := 0
		flush := func() {
			p.span(s)
			s = span{row: p.rows, col: col, style: st}
		}
		for line = strings.TrimSuffix(line, "\n"); line != ""; {
			part, width, n, _ := ansi.DecodeSequence(line, 0, nil)
			line = line[n:]
			switch {
			case strings.HasPrefix(part, "\x1b[") && strings.HasSuffix(part, "m"):
				st.apply(part[2 : len(part)-1])
				flush()
			case width == 0:
				if r, _ := utf8.DecodeRuneInString(part); unicode.IsMark(r) && s.text != "" {
					s.text += part
				}
			case col+width > p.cols:
			case width != 1 || box(part) != 0 || box(s.text) != 0: // wide and box-drawing characters are drawn separately
				flush()
				s.text, s.width = part, width
				col += width
				flush()
			default:
				s.text += part
				s.width++
				col++
			}
		}
		p.span(s)
		p.rows++
	}
}

// span draws a run: its background, and its text without surrounding blanks.
func (p *picture) span(s span) {
	ink, ground := s.style.ink, s.style.ground
	if s.style.swapped {
		ink, ground = or(ground, p.page), or(ink, p.ink)
	}
	if ground != "" && s.width > 0 {
		fmt.Fprintf(&p.grounds, "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" fill=\"%s\"/>\n",
			px(s.col), s.row*cellHeight, px(s.width), cellHeight, ground)
	}
	if arms := box(s.text); arms != 0 && s.width == 1 {
		p.box(s, arms, or(ink, p.ink))
		return
	}
	col := s.col
	for i, part := range strings.Split(s.text, "  ") {
		if i > 0 {
			col += 2
		}
		text := strings.TrimLeft(part, " ")
		at := col + len(part) - len(text)
		col += ansi.StringWidth(part)
		if text = strings.TrimRight(text, " "); text != "" {
			fmt.Fprintf(&p.marks, "<text x=\"%s\" y=\"%s\" textLength=\"%s\"%s>%s</text>\n", px(at),
				number(float64(s.row*cellHeight)+baseline), px(ansi.StringWidth(text)), s.style.attributes(ink), html.EscapeString(text))
		}
	}
}

// attributes returns the SVG attributes of a text in this style, without the defaults of the picture.
func (s style) attributes(ink string) string {
	var b strings.Builder
	for _, a := range []struct {
		on   bool
		text string
	}{
		{ink != "", ` fill="` + ink + `"`},
		{s.bold, ` font-weight="700"`},
		{s.dim, ` opacity=".6"`},
		{s.italic, ` font-style="italic"`},
		{s.underline, ` text-decoration="underline"`},
		{s.gone, ` text-decoration="line-through"`},
	} {
		if a.on {
			b.WriteString(a.text)
		}
	}
	return b.String()
}

// Lines of a box-drawing character, from the middle of its cell; heavy means thick lines, half the left half block.
const (
	up = 1 << iota
	down
	left
	right
	heavy
	half
)

// box returns the lines of a box-drawing character, or 0.
func box(s string) int {
	return map[string]int{
		"─": left | right, "│": up | down, "━": left | right | heavy, "┃": up | down | heavy,
		"┌": down | right, "┐": down | left, "└": up | right, "┘": up | left,
		"╭": down | right, "╮": down | left, "╰": up | right, "╯": up | left,
		"├": up | down | right, "┤": up | down | left, "┬": left | right | down, "┴": left | right | up,
		"┼": up | down | left | right, "┠": up | down | right | heavy, "▌": half,
	}[s]
}

func (p *picture) box(s span, arms int, ink string) {
	x, y := float64(s.col)*cellWidth, float64(s.row*cellHeight)
	d, width := fmt.Sprintf("M%s %sv%d", number(x+2), number(y), cellHeight), 4 // half a cell
	if arms&half == 0 {
		d, width = "", 1
		for i, path := range []string{"v-9", "v9", "h-4.2", "h4.2"} {
			if arms&(up<<i) != 0 {
				d += "M" + number(x+cellWidth/2) + " " + number(y+cellHeight/2) + path
			}
		}
	}
	if arms&heavy != 0 {
		width = 3
	}
	opacity := ""
	if s.style.dim {
		opacity = ` opacity=".6"`
	}
	fmt.Fprintf(&p.marks, "<path d=\"%s\" stroke=\"%s\" stroke-width=\"%d\"%s/>\n", d, ink, width, opacity)
}

func (p *picture) write(w io.Writer) {
	width, height := float64(p.cols)*cellWidth+2*margin, p.rows*cellHeight+2*margin
	fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%d\" viewBox=\"0 0 %s %d\" role=\"img\">\n",
		number(width), height, number(width), height)
	fmt.Fprintf(w, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"%s\"/>\n", html.EscapeString(p.title), p.page)
	fmt.Fprintf(w, "<g transform=\"translate(%d %d)\">\n%s<g fill=\"%s\" font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,"+
		"'DejaVu Sans Mono','Liberation Mono',monospace\" font-size=\"%d\">\n%s</g>\n</g>\n</svg>\n",
		margin, margin, p.grounds.String(), p.ink, fontSize, p.marks.String())
}

// px returns the width of a number of columns, in pixels.
func px(cells int) string { return number(float64(cells) * cellWidth) }

func number(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(f, 'f', 1, 64), "0"), ".")
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
