package main

import (
	"fmt"
	"strconv"
	"strings"
)

// apply applies an SGR sequence to a style. params is the text between ESC [ and m. Unknown parameters are skipped.
func (s *style) apply(params string) {
	list := strings.FieldsFunc(params, func(r rune) bool { return r == ';' })
	if len(list) == 0 {
		*s = style{}
	}
	for i := 0; i < len(list); i++ {
		first, kind, _ := strings.Cut(list[i], ":") // 4:3 is a curly underline, 4:0 is no underline
		n, err := strconv.Atoi(first)
		if err != nil || s.flag(n, kind != "0") || s.colour(n) {
			continue
		}
		if n == 38 || n == 48 {
			colour, used := extended(list[i+1:])
			i += used
			if n == 38 {
				s.ink = colour
			} else {
				s.ground = colour
			}
		}
	}
}

// flag applies parameter n if it is an attribute, and reports whether it is. A number below 10 sets an attribute, the
// number plus 20 clears it.
func (s *style) flag(n int, on bool) bool {
	set, value := &s.bold, on && n < 20
	switch n % 20 {
	case 0:
		if n == 0 {
			*s = style{}
		}
		return n == 0
	case 1:
	case 2:
		if n == 22 {
			s.bold = false
		}
		set = &s.dim
	case 3:
		set = &s.italic
	case 4:
		set = &s.underline
	case 7:
		set = &s.swapped
	case 9:
		set = &s.gone
	default:
		return false
	}
	if n > 30 || n == 21 {
		return false
	}
	*set = value
	return true
}

// colour applies parameter n if it is a colour, and reports whether it is.
func (s *style) colour(n int) bool {
	base, which := n/10*10, n%10
	switch {
	case n == 39:
		s.ink = ""
	case n == 49:
		s.ground = ""
	case which > 7:
		return false
	case base == 30, base == 90:
		s.ink = indexed(which + base/90*8)
	case base == 40, base == 100:
		s.ground = indexed(which + base/100*8)
	default:
		return false
	}
	return true
}

// extended returns the colour that follows 38 or 48, and the number of parameters used for it.
func extended(list []string) (colour string, used int) {
	var v [4]int
	for i := range min(len(list), len(v)) {
		v[i], _ = strconv.Atoi(list[i])
	}
	switch {
	case len(list) >= 4 && v[0] == 2:
		return fmt.Sprintf("#%02x%02x%02x", v[1]&255, v[2]&255, v[3]&255), 4
	case len(list) >= 2 && v[0] == 5:
		return indexed(v[1] & 255), 2
	}
	return "", len(list)
}

// indexed returns colour n of xterm's table of 256 colours.
func indexed(n int) string {
	switch {
	case n < 16:
		return [...]string{
			"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
			"#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
		}[n]
	case n >= 232:
		grey := 8 + (n-232)*10
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
	}
	level := func(v int) int {
		if v == 0 {
			return 0
		}
		return 55 + v*40
	}
	n -= 16
	return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
}
