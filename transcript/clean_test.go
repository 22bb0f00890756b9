package transcript

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// cleanCases returns pairs of an untrusted text and the result of Clean.
func cleanCases() map[string][2]string {
	long := strings.Repeat("x", 3*maxUnterminated)
	params := strings.Repeat("1;", maxCSI)
	return map[string][2]string{
		"empty":           {"", ""},
		"plain":           {"tide tables\n\tfor Tuesday", "tide tables\n\tfor Tuesday"},
		"beyond ASCII":    {"naïve – 茶 Чай 🫖", "naïve – 茶 Чай 🫖"},
		"C0":              {"a\x00b\x07c\x08d\x0be\x0cf\x1fg", "abcdefg"},
		"DEL":             {"a\x7fb", "ab"},
		"C1 as UTF-8":     {"a\u0080b\u0085c\u009fx", "abc"},
		"C1 as a byte":    {"a\x80b\x85c", "abc"},
		"NBSP and ÿ stay": {"a\u00a0bÿ", "a\u00a0bÿ"},

		"CR LF":                 {"a\r\nb\r\n", "a\nb\n"},
		"lone CR":               {"safe\rrm -rf", "safe\nrm -rf"},
		"CR at the end":         {"a\r", "a\n"},
		"CR CR LF":              {"a\r\r\nb", "a\n\nb"},
		"CR, sequence, LF":      {"a\r\x1b[m\nb", "a\n\nb"},
		"line separators":       {"a\u2028b\u2029c", "a\nb\nc"},
		"bidi":                  {"a\u202ab\u202ec\u2066d\u2069e", "abcde"},
		"marks and spaces stay": {"a\u200e\u200f\u061c\u202f\u00a0\u3000\u2800b", "a\u200e\u200f\u061c\u202f\u00a0\u3000\u2800b"},
		"byte order mark":       {"\ufeffa\ufeff", "a"},
		"tags":                  {"a\U000e0001\U000e0041\U000e007fb\U000e0080", "ab"},
		"joiners, selectors":    {"👩‍💻 ☀️ ☀\ufe0e می\u200cخواهم", "👩‍💻 ☀️ ☀\ufe0e می\u200cخواهم"},
		"zero width":            {"rm\u200b -rf\u2060 \u034f/", "rm -rf /"},
		"soft hyphen":           {"pass\u00adword", "password"},
		"invisible operators":   {"f\u2061(x\u2062y\u2063z\u2064)", "f(xyz)"},
		"deprecated controls":   {"a\u2065\u206a\u206fb", "ab"},
		"blank fillers":         {"a\u115f\u1160\u3164\uffa0b", "ab"},
		"Mongolian selectors":   {"\u182d\u180b\u180e\u1820", "\u182d\u1820"},
		"other selectors":       {"葛\U000e0100城 ≨\ufe00 a\ufe0d", "葛城 ≨ a"},
		"hidden in a selector":  {"🫖\U000e0158\U000e0155\U000e01ef", "🫖"},
		"annotations":           {"a\ufff9b\ufffac\ufffbd\ufffc", "abcd\ufffc"},
		"notation":              {"a\U0001bca0\U0001d173b", "ab"},

		"colour":               {"\x1b[1;38;5;208mamber\x1b[0m", "amber"},
		"colon, private":       {"\x1b[4:3mx\x1b[?25l\x1b[>4;2my\x1b[2 qz", "xyz"},
		"CSI as U+009B":        {"a\u009b31mb", "ab"},
		"CSI as a byte":        {"a\x9b31mb", "ab"},
		"CSI cut at the end":   {"a\x1b[31", "a"},
		"CSI cut by newline":   {"a\x1b[31\nb", "a\nb"},
		"CSI cut by a rune":    {"a\x1b[3é", "aé"},
		"CSI cut by CSI":       {"a\x1b[3\x1b[1mb", "ab"},
		"CSI without end":      {"a\x1b[" + params + "mb", "a" + params + "mb"},
		"ESC alone":            {"a\x1b", "a"},
		"ESC and a rune":       {"a\x1bé", "aé"},
		"ESC and newline":      {"a\x1b\nb", "a\nb"},
		"ESC ESC":              {"a\x1b\x1b[1mb", "ab"},
		"two bytes":            {"\x1b7a\x1b8b\x1bcc\x1b=d\x1bDe", "abcde"},
		"intermediates":        {"\x1b(Ba\x1b#8b\x1b%/Gc", "abc"},
		"many intermediates":   {"a\x1b      b", "a      b"},
		"SS3 keeps its letter": {"\x1bOP", "P"},

		"title, BEL":           {"\x1b]0;evil\x07a", "a"},
		"title, ST":            {"\x1b]0;evil\x1b\\a", "a"},
		"title, C1 ST":         {"\x1b]0;evil\u009ca\x1b]2;evil\x9cb", "ab"},
		"title, all C1":        {"\u009d0;evil\u009ca\x9d0;evil\x9cb", "ab"},
		"link":                 {"\x1b]8;;https://tea.example\x1b\\tea\x1b]8;;\x1b\\", "tea"},
		"clipboard":            {"\x1b]52;c;cm0gLXJm\x07a", "a"},
		"DCS":                  {"\x1bP1;2|17/ab\x1b\\a\u0090q\u009cb", "ab"},
		"SOS PM APC":           {"\x1bXs\x1b\\a\x1b^p\x1b\\b\x1b_Gi=1;AAAA\x1b\\c", "abc"},
		"8-bit SOS PM APC":     {"\u0098s\u009ca\u009ep\u009cb\u009fq\u009cc", "abc"},
		"string with runes":    {"\x1b]0;茶\u271c é\x07a", "a"},
		"tmux passthrough":     {"\x1bPtmux;\x1b\x1b]0;evil\x07\x1b\\a", "a"},
		"long string":          {"\x1b]1337;File=:" + long + "\x07a", "a"},
		"unterminated":         {"a\x1b]0;evil\nb\nc", "a\nb\nc"},
		"unterminated, CR":     {"a\x1b]0;evil\rb", "a\nb"},
		"unterminated, U+2028": {"a\x1b]0;evil\u2028b", "a\nb"},
		"unterminated, end":    {"a\x1b]0;evil", "a"},
		"unterminated, ESC":    {"a\x1b]0;evil\x1b[1mb", "ab"},
		"unterminated, CAN":    {"a\x1b]0;evil\x18b", "ab"},
		"unterminated, C1":     {"a\x1b]0;evil\u0084b", "ab"},
		"unterminated, long":   {"a\x1b]" + long, "a" + long[maxUnterminated:]},
		"unterminated, runes": {
			"a\x1b]x" + strings.Repeat("é", maxUnterminated), "a" + strings.Repeat("é", maxUnterminated/2+1),
		},
		"ends on a later line": {"a\x1b]0;evil\nb\x1b\\c\x07d", "a\nbcd"},

		"bytes that are no UTF-8": {"a\xffb\xa0c", "a\uFFFDb\uFFFDc"},
		"half an emoji":           {"a\xf0\x9f\x98 b", "a\uFFFD\uFFFD\uFFFD b"},
		"half an emoji, ESC":      {"a\xf0\x9f\x1b[mb", "a\uFFFD\uFFFDb"},
		"overlong ESC":            {"\xc0\x9b31m", "\uFFFD\uFFFD31m"},
		"surrogate":               {"\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},
		"beyond Unicode":          {"\xf4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
		"replacement character":   {"a\uFFFDb", "a\uFFFDb"},

		"neighbours of a sequence":   {"\x1b\x1b[m[31mred", "[31mred"},
		"neighbours of a control":    {"\x1b\x00[31mred", "[31mred"},
		"neighbours: halves of C1":   {"\xc2\x1b[m\x9b1mred", "\uFFFDred"},
		"neighbours: halves of bidi": {"\xe2\x80\x00\xaea", "\uFFFD\uFFFD\uFFFDa"},
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for name, c := range cleanCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Clean(c[0]); got != c[1] {
				t.Errorf("Clean(%+q)\n got %+q\nwant %+q", c[0], got, c[1])
			}
			checkClean(t, c[0])
		})
	}
}

func TestCleanReturnsCleanTextItself(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"a", "one\n\ttwo", "naïve 茶 🫖 ☀️", strings.Repeat("tide ", 1000) + "."} {
		if got := Clean(s); unsafe.StringData(got) != unsafe.StringData(s) || got != s {
			t.Errorf("Clean(%.20q) is a copy", s)
		}
	}
	s := "one line 茶"
	if got := CleanLine(s); unsafe.StringData(got) != unsafe.StringData(s) {
		t.Errorf("CleanLine(%q) is a copy", s)
	}
}

func TestCleanLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                             "",
		" ":                            "",
		"\n\t ":                        "",
		"a":                            "a",
		"a b":                          "a b",
		" a":                           "a",
		"a ":                           "a",
		"a  b":                         "a b",
		"a\nb\t\tc\r\nd":               "a b c d",
		"a\rb":                         "a b",
		"a\u00a0b\u3000c\u2028d":       "a b c d",
		"a \x1b[31m b":                 "a b",
		"  # Title\n\n\x1b]0;x\x07do ": "# Title do",
		"\ufeff a":                     "a",
	} {
		if got := CleanLine(in); got != want {
			t.Errorf("CleanLine(%+q) = %+q, want %+q", in, got, want)
		}
	}
}

func checkClean(t *testing.T, in string) {
	t.Helper()
	out := Clean(in)
	if !utf8.ValidString(out) {
		t.Errorf("Clean(%+q) isn't valid UTF-8: %+q", in, out)
	}
	for _, r := range out {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || isForbidden(r) {
			t.Errorf("Clean(%+q) keeps %U: %+q", in, r, out)
		}
	}
	if n, m := utf8.RuneCountInString(out), utf8.RuneCountInString(in); n > m {
		t.Errorf("Clean(%+q) has %d runes, the text %d", in, n, m)
	}
	if again := Clean(out); again != out {
		t.Errorf("Clean(%+q) twice: %+q, then %+q", in, out, again)
	}
	line := CleanLine(in)
	if strings.ContainsAny(line, "\n\t") || strings.Contains(line, "  ") || strings.TrimSpace(line) != line {
		t.Errorf("CleanLine(%+q) = %+q", in, line)
	}
	if want := strings.Join(strings.Fields(out), " "); line != want {
		t.Errorf("CleanLine(%+q) = %+q, want %+q", in, line, want)
	}
	if again := CleanLine(line); again != line {
		t.Errorf("CleanLine(%+q) twice: %+q, then %+q", in, line, again)
	}
}

// isForbidden reports whether a character hides or reorders text. It uses Unicode properties.
func isForbidden(r rune) bool {
	switch {
	case strings.ContainsRune("\u061c\u200c\u200d\u200e\u200f\ufe0e\ufe0f", r):
		return false
	case r == lineSeparator, r == paragraphSeparator:
		return true
	case r >= 0x13430 && r <= 0x1345f, unicode.Is(unicode.Prepended_Concatenation_Mark, r): // these are visible
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

func TestCleanRemovesWhatIsHidden(t *testing.T) {
	t.Parallel()
	for r := rune(0xa0); r <= unicode.MaxRune; r++ {
		if got := Clean(string(r)); isForbidden(r) == (got == string(r)) {
			t.Errorf("Clean(%U) = %+q", r, got)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, c := range cleanCases() {
		if len(c[0]) < maxCSI { // the fuzzer would spend the whole run on minimizing a long text
			f.Add(c[0])
		}
	}
	f.Fuzz(func(t *testing.T, s string) { checkClean(t, s) })
}

func BenchmarkClean(b *testing.B) {
	for name, line := range map[string]string{
		"ASCII":   "The tide table for Tuesday is ready.\n",
		"German":  "Die Gezeitentafel für Dienstag ist gefüllt.\n",
		"Chinese": "星期二的潮汐表已经准备好了。\n",
		"colours": "\x1b[32mok\x1b[0m  \x1b[1mtides\x1b[0m 0.2s\n",
		"hostile": "\u009d\x1b]",
	} {
		s := strings.Repeat(line, 1<<20/len(line))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Clean(s)
			}
		})
	}
}
