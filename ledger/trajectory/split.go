package trajectory

import "bytes"

// open is an object that may become a record. An inner object becomes one only if the outermost object is torn.
type open struct {
	from, to    int // offsets in splitter.text; to is 0 until the object is complete
	line, lines int
	depth       int // number of open brackets around the object
}

// splitter finds the records in a text that arrives in blocks, in linear time. It keeps at most one record and one
// block in memory.
//
// A record may start at the end of another one, or at the start of a line. At an invalid byte, the outermost object
// is torn and is dropped. A complete object inside it becomes a record if it starts at the start of a line, without
// indentation. The search continues at the next line.
type splitter struct {
	grammar
	// record is called with each complete record, until it returns false.
	record func(raw []byte, line, lines int) bool
	stats  *Stats

	text    []byte // text in memory
	at      int    // offset of the next byte
	line    int    // number of the current line
	inside  bool   // the next byte is inside an object
	lost    bool   // the next byte isn't in a record
	fresh   bool   // if lost: a record may start at the next byte
	objects []open
	gone    int   // number of dropped objects before objects[0]
	shed    int   // number of brackets of dropped objects around objects[0]
	begun   []int // incomplete objects, outermost first: indexes in objects plus gone
	stopped bool
	work    int // number of objects that were scanned again
}

func newSplitter(stats *Stats, record func(raw []byte, line, lines int) bool) *splitter {
	return &splitter{record: record, stats: stats, line: 1}
}

// took scans the next block of the text. If ended is true, a line break follows the block.
func (s *splitter) took(part []byte, ended bool) {
	s.forget()
	s.text = append(s.text, part...)
	if ended {
		s.text = append(s.text, '\n')
	}
	for s.at < len(s.text) && !s.stopped {
		switch {
		case s.inside:
			s.within()
		case s.lost:
			s.skip()
		default:
			s.between()
		}
	}
}

// forget frees the text before the first open object. It changes the offsets of all objects, so it does this rarely.
func (s *splitter) forget() {
	if !s.inside { // everything was scanned
		s.text, s.at = s.text[:0], 0
		return
	}
	keep := s.objects[0].from
	if keep < maxRecord {
		return
	}
	s.text = s.text[:copy(s.text, s.text[keep:])]
	s.at -= keep
	s.work += len(s.objects)
	for i := range s.objects {
		if o := &s.objects[i]; o.to > 0 {
			o.from, o.to = o.from-keep, o.to-keep
		} else {
			o.from -= keep
		}
	}
}

// end is called at the end of the text. An incomplete object is then torn.
func (s *splitter) end() {
	if s.inside && !s.stopped {
		s.stats.Torn = s.objects[len(s.objects)-1].to == 0
		s.torn()
	}
}

func (s *splitter) bad(line int) {
	if s.stats.Bad++; s.stats.FirstAt == 0 {
		s.stats.FirstAt = line
	}
}

// between scans the text between two records.
func (s *splitter) between() {
	switch c := s.text[s.at]; c {
	case '\n':
		s.line++
	case ' ', '\t', '\r':
	case '{':
		s.begin()
	default:
		s.bad(s.line)
		s.lost, s.fresh = true, c == 0
	}
	s.at++
}

// skip skips the line of a text that isn't a record. A record may also start after NUL bytes, which a system crash
// can leave.
func (s *splitter) skip() {
	rest := s.text[s.at:]
	if s.fresh && rest[0] == '{' {
		s.begin()
		s.at++
		return
	}
	n := bytes.IndexByte(rest, '\n') + 1
	if n == 0 {
		n = len(rest)
	}
	if nul := bytes.Index(rest[:n], []byte{0, '{'}); nul >= 0 {
		n = nul + 1
	}
	if rest[n-1] == '\n' {
		s.line++
	}
	s.fresh = rest[n-1] == '\n' || rest[n-1] == 0
	s.at += n
}

// begin starts a record at the current opening bracket.
func (s *splitter) begin() {
	s.lost, s.inside = false, true
	s.grammar.begin()
	s.objects = append(s.objects[:0], open{from: s.at, line: s.line})
	s.begun, s.gone, s.shed = append(s.begun[:0], 0), 0, 0
}

// within scans the current record in a block, up to its end or an invalid byte.
func (s *splitter) within() {
	limit := min(len(s.text), s.objects[0].from+maxRecord)
	for s.at < limit {
		if s.want == inString {
			s.at += plain(s.text[s.at:limit])
			if s.at == limit {
				break
			}
		}
		c := s.text[s.at]
		depth := len(s.brackets)
		if !s.next(c) {
			s.torn()
			return
		}
		s.at++
		switch {
		case c == '\n': // allowed between values, but not in a string
			s.line++
		case len(s.brackets) > depth && c == '{' && s.text[s.at-2] == '\n':
			s.begun = append(s.begun, s.gone+len(s.objects))
			s.objects = append(s.objects, open{from: s.at - 1, line: s.line, depth: s.shed + depth})
		case len(s.brackets) < depth && s.closed():
			return
		}
	}
	if s.at-s.objects[0].from >= maxRecord {
		s.outgrown()
	}
}

// closed is called at the end of an object. It yields only the outermost object and then returns true.
func (s *splitter) closed() bool {
	i := s.begun[len(s.begun)-1] - s.gone
	o := &s.objects[i]
	if o.depth != s.shed+len(s.brackets) {
		return false
	}
	o.to, o.lines = s.at, s.line-o.line+1
	s.begun, s.objects = s.begun[:len(s.begun)-1], s.objects[:i+1] // the object around this one contains these objects
	if i > 0 {
		return false
	}
	s.inside = false
	s.give(o)
	return true
}

func (s *splitter) give(o *open) {
	if !s.stopped {
		s.stopped = !s.record(s.text[o.from:o.to], o.line, o.lines)
	}
}

// torn drops the incomplete objects and yields the complete objects inside them.
func (s *splitter) torn() {
	for i := range s.objects {
		if o := &s.objects[i]; o.to == 0 {
			s.bad(o.line)
		} else {
			s.give(o)
		}
	}
	s.inside, s.lost, s.fresh = false, true, s.text[s.at-1] == '\n'
}

// outgrown drops an outermost object that is too long.
func (s *splitter) outgrown() {
	s.bad(s.objects[0].line)
	s.stats.Long++
	i := 1
	for ; i < len(s.objects) && s.objects[i].to > 0; i++ {
		s.give(&s.objects[i])
	}
	if i == len(s.objects) {
		s.inside, s.lost, s.fresh = false, true, s.text[s.at-1] == '\n'
		return
	}
	s.work += i
	s.brackets = append(s.brackets[:0], s.brackets[s.objects[i].depth-s.shed:]...)
	s.shed = s.objects[i].depth
	s.objects, s.begun = s.objects[i:], s.begun[1:]
	s.gone += i
}

// plain returns the number of bytes of a string before its end, an escape or an invalid byte.
func plain(text []byte) int {
	for i, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			return i
		}
	}
	return len(text)
}
