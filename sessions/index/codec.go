package index

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// errShort is returned for an incomplete or impossible value.
var errShort = errors.New("value is incomplete")

// codec writes or reads values. Each method does both, so that each format has one definition.
type codec struct {
	b       []byte
	all     string // for reading: the whole text, which ends with b; decoded strings are parts of it and need no memory
	reading bool
	err     error
}

// newReader returns a codec that reads b.
func newReader(b []byte) codec { return codec{b: b, all: string(b), reading: true} }

func (c *codec) uint(v *uint64) {
	if !c.reading {
		c.b = binary.AppendUvarint(c.b, *v)
		return
	}
	n := 0
	if *v, n = binary.Uvarint(c.b); n <= 0 {
		c.fail()
		return
	}
	c.b = c.b[n:]
}

func (c *codec) fail() {
	c.err = errShort
	c.b = nil
}

func (c *codec) int(v *int64) {
	u := uint64(*v)<<1 ^ uint64(*v>>63)
	c.uint(&u)
	*v = int64(u>>1) ^ -int64(u&1)
}

func (c *codec) bool(v *bool) {
	u := uint64(0)
	if *v {
		u = 1
	}
	c.uint(&u)
	*v = u == 1
}

func (c *codec) string(v *string) {
	n := uint64(len(*v))
	c.uint(&n)
	switch {
	case !c.reading:
		c.b = append(c.b, *v...)
	case n > uint64(len(c.b)):
		c.fail()
		*v = ""
	default:
		at := uint64(len(c.all) - len(c.b)) //nolint:gosec // b is a part of all
		*v, c.b = c.all[at:at+n], c.b[n:]
	}
}

// time writes or reads a time in milliseconds, as in transcripts.
func (c *codec) time(v *time.Time) {
	ms := int64(0)
	if !v.IsZero() {
		ms = v.UnixMilli()
	}
	known := !v.IsZero()
	if c.bool(&known); !known {
		*v = time.Time{}
		return
	}
	c.int(&ms)
	if c.reading {
		*v = time.UnixMilli(ms).UTC()
	}
}

func (c *codec) strings(v *[]string) {
	n := uint64(len(*v))
	if c.uint(&n); c.reading {
		if n > uint64(len(c.b)) {
			c.fail()
			return
		}
		*v = make([]string, n)
	}
	for i := range *v {
		c.string(&(*v)[i])
	}
}

// row writes or reads a row.
func (c *codec) row(r *row) {
	id := uint64(r.id)
	c.uint(&id)
	r.id = uint32(id) //nolint:gosec // IDs have 32 bits
	c.string(&r.path)
	c.uint(&r.inode)
	c.int(&r.size)
	c.int(&r.modified)
	c.int(&r.changed)
	c.bool(&r.unsure)
	c.int(&r.covered)
	c.int(&r.texts)
	c.int(&r.text)
	c.uint(&r.mark)
	c.bool(&r.damaged)
	c.int(&r.figures.ContextTokens)
	c.int(&r.figures.ContextBase)
	c.time(&r.figures.ContextBegan)
	if c.bool(&r.exact); r.exact {
		c.figures(&r.figures)
	}
}

// figures writes or reads the fields of a session from its transcript. row handles the context figures.
func (c *codec) figures(s *sessions.Session) {
	c.string(&s.Workdir)
	c.string(&s.Name)
	c.string(&s.Prompt)
	c.string(&s.Branch)
	c.time(&s.Created)
	c.time(&s.First)
	c.time(&s.Last)
	c.time(&s.Written)
	messages, known := int64(s.Messages), int64(s.Known)
	c.int(&messages)
	c.int(&known)
	s.Messages, s.Known = int(messages), int(known)
	c.int(&s.Tokens.Input)
	c.int(&s.Tokens.Output)
	c.int(&s.Tokens.CacheRead)
	c.int(&s.Tokens.CacheWrite)
	c.strings(&s.Models)
	c.string(&s.Version)
	state, flags := string(s.State), make([]string, len(s.Flags))
	c.string(&state)
	for i, f := range s.Flags {
		flags[i] = string(f)
	}
	c.strings(&flags)
	c.string(&s.Reason)
	c.string(&s.Picker)
	c.string(&s.Continued)
	c.origin(&s.Origin)
	if c.reading {
		s.State, s.Flags, s.Exact = sessions.State(state), make([]sessions.Flag, len(flags)), true
		for i, f := range flags {
			s.Flags[i] = sessions.Flag(f)
		}
	}
}

// origin writes or reads the origin of a session.
func (c *codec) origin(o *transcript.Origin) {
	kind, copied, n := string(o.Kind), int64(o.Copied), uint64(len(o.Prompts))
	c.string(&kind)
	c.string(&o.Session)
	c.time(&o.Cleared)
	c.int(&copied)
	o.Kind, o.Copied = transcript.OriginKind(kind), int(copied)
	if c.uint(&n); c.reading && n > uint64(len(c.b)) {
		c.fail()
		return
	}
	if c.reading && n > 0 {
		o.Prompts = make([]transcript.OriginPrompt, n)
	}
	for i := range o.Prompts {
		p := &o.Prompts[i]
		number := int64(p.Number)
		c.uint(&p.ID)
		c.int(&number)
		c.time(&p.Time)
		p.Number = int(number)
	}
}
