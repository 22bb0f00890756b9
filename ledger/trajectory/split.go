package trajectory

import "bytes"

// open is an object that may be a record: the first one, or one inside it at the start of a line. If the first is torn,
// that one is a record of its own.
type open struct {
	from, to    int // bytes of the text that is held; to is 0 until it is whole
	line, lines int
	depth       int // open brackets around it, including those of objects that were given up
}

// splitter finds the records in a text that comes in parts. It goes over each byte once, whatever is wrong with the text,
// and holds a record and a part at most.
//
// An object is taken for a record where one may begin. At the first byte that cannot be JSON it is torn: it goes, whole
// objects at the beginning of a line within it stay, and the next record is looked for at the beginning of a line.
// Indented objects are parts of something that is torn, not records.
type splitter struct {
	grammar
	// record is given each whole one, in order; false stops.
	record func(raw []byte, line, lines int) bool
	stats  *Stats

	text    []byte // part of the text in memory
	at      int    // offset of the next byte
	line    int    // of that byte
	inside  bool   // of an object: objects has it
	lost    bool   // inside text that isn't a record
	fresh   bool   // when lost: a record may begin here
	objects []open
	gone    int   // number of objects before them
	shed    int   // brackets that were around the first of them
	begun   []int // those of the objects that are not whole, each within the one before, by their number with those gone
	stopped bool
	work    int // number of objects that were scanned twice
}

func newSplitter(stats *Stats, record func(raw []byte, line, lines int) bool) *splitter {
	return &splitter{record: record, stats: stats, line: 1}
}

// took goes over the next part of the text, and the end of its line if that is there.
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

// forget drops the text before the first open object, but only once that is as long as a record: there may be as many
// objects as fit into one.
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

// end ends the text.
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

// skip skips text that isn't a record up to the end of its line, and starts a record at the start of a line. NULs are
// left by a crash of the system; a record may begin after them.
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

// within scans a part of a record, to its end or to the first byte that isn't valid.
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
		case c == '\n': // line breaks are valid between values, never in a string
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

// closed records that an object is complete. It yields the object and returns true if it is the first.
func (s *splitter) closed() bool {
	i := s.begun[len(s.begun)-1] - s.gone
	o := &s.objects[i]
	if o.depth != s.shed+len(s.brackets) {
		return false
	}
	o.to, o.lines = s.at, s.line-o.line+1
	s.begun, s.objects = s.begun[:len(s.begun)-1], s.objects[:i+1] // it belongs to the object around it
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

// torn gives up the objects that are not whole at a byte that cannot be theirs, or at the end.
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

// outgrown gives up the first object, which is too long, and continues with the next one inside it. The others stay: as
// many as fit into a record may be open, and each of them may become too long.
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

// plain returns the number of bytes before the end, an escape or an invalid byte of a string.
func plain(text []byte) int {
	for i, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			return i
		}
	}
	return len(text)
}
