package trajectory

import "bytes"

// open is an object that may be a record. It is the outermost object, or an object inside it that is at the start
// of a line. If the outermost object is torn, the inner object counts as a record.
type open struct {
	from, to    int // offsets in splitter.text; to is 0 until the object is complete
	line, lines int
	depth       int // number of open brackets around the object, including those of dropped objects
}

// splitter finds the records in a text that comes in parts. Its time is linear, even if the text is damaged. It
// keeps at most one record and one part in memory.
//
// A record may start where the previous one has ended, or at the start of a line. At the first byte that can't be
// JSON, the outermost object counts as torn, and it is dropped. A complete object inside it becomes a record if it
// is at the start of a line. It doesn't if it is indented. The search then continues at the next line.
type splitter struct {
	grammar
	// record is called with each complete record, in order. If it returns false, the search stops.
	record func(raw []byte, line, lines int) bool
	stats  *Stats

	text    []byte // the part of the text that is in memory
	at      int    // offset of the next byte
	line    int    // number of the line at the offset at
	inside  bool   // whether at is inside an object; objects has that object
	lost    bool   // inside text that isn't a record
	fresh   bool   // if lost: a record may begin here
	objects []open
	gone    int   // how many objects before objects[0] were dropped
	shed    int   // how many brackets are around objects[0]; they belong to dropped objects
	begun   []int // the objects that aren't complete, each inside the previous one; indexes in objects, plus gone
	stopped bool
	work    int // how many objects were scanned twice
}

func newSplitter(stats *Stats, record func(raw []byte, line, lines int) bool) *splitter {
	return &splitter{record: record, stats: stats, line: 1}
}

// took scans the next part of the text. If the line has ended, it also scans a line break.
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

// forget drops the text before the first open object. It does so only when this text is as long as a record,
// because moving the offsets of all objects is expensive.
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

// end is called at the end of the text. An object that is still open is torn.
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

// skip skips text that isn't a record, up to the end of the line. At the start of a line, it begins a record. A
// record may also begin after NUL bytes, which may be there after the system has crashed.
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

// begin starts a record at the current bracket.
func (s *splitter) begin() {
	s.lost, s.inside = false, true
	s.grammar.begin()
	s.objects = append(s.objects[:0], open{from: s.at, line: s.line})
	s.begun, s.gone, s.shed = append(s.begun[:0], 0), 0, 0
}

// within scans a part of a record. It stops at the end of the record, or at the first byte that isn't valid.
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
		case c == '\n': // a line break may be between values, but never in a string
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

// closed is called when an object is complete. If this object is the first one, closed yields it and returns true.
func (s *splitter) closed() bool {
	i := s.begun[len(s.begun)-1] - s.gone
	o := &s.objects[i]
	if o.depth != s.shed+len(s.brackets) {
		return false
	}
	o.to, o.lines = s.at, s.line-o.line+1
	s.begun, s.objects = s.begun[:len(s.begun)-1], s.objects[:i+1] // the object around this one contains it
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

// torn is called at a byte that isn't valid, and at the end of the text. It drops objects that aren't complete,
// and yields those that are.
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

// outgrown drops the first object, because it is too long. It continues with the next object inside it that isn't
// complete. Other objects that aren't complete stay, because each of them may still become complete or too long.
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

// plain returns how many bytes of a string come before its end, before an escape, or before a byte that isn't
// valid.
func plain(text []byte) int {
	for i, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			return i
		}
	}
	return len(text)
}
