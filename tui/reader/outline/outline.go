// Package outline has what the reader knows about a file without decoding any message: messages, threads, prompts,
// compactions, branches and turns. It also knows what is open and what is folded.
//
// The package is pure. The reader gives it a new outline when the file grows, and the counts of turns.
package outline

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/dropped"
	"github.com/continuo-tui/continuo/tui/opened"
)

// Outline has the messages of a file, and the facts that need no decoding. The zero value has no messages.
type Outline struct {
	Document bool // a document, whose messages are sections
	Agent    bool // the file is the transcript of a sub-agent

	Refs     []transcript.MessageRef
	Threads  []transcript.Thread
	Shown    int                        // shown branch; 0 for all threads
	Headings map[int]*transcript.Thread // by the first message of each thread except the main one
	Prompts  []int                      // messages that are prompts, or sections
	Bounds   []int                      // messages that are compaction boundaries
	Turns    []int32                    // number of prompts and answers up to each message
	Last     int                        // index of the last message of the main thread
	Quiet    int                        // number of quiet messages, such as notices of the client

	splits map[int]int // number of branches that split off after a message
	works  []Work      // turns with work, in order
	turnOf []int32     // by message: index in works plus one, 0 for none
}

// Set replaces the messages and threads.
func (o *Outline) Set(refs []transcript.MessageRef, threads []transcript.Thread) {
	o.Refs, o.Threads, o.Headings, o.splits = refs, threads, map[int]*transcript.Thread{}, map[int]int{}
	for _, t := range o.Branches() {
		o.splits[threads[t].From]++
	}
	o.Prompts, o.Bounds, o.Turns, o.Quiet = nil, nil, make([]int32, len(refs)), 0
	o.Last = opened.MainEnd(refs, threads)
	if o.Shown > 0 {
		o.Last = threads[o.Shown].Messages[len(threads[o.Shown].Messages)-1]
	}
	turns := int32(0)
	for i := range refs {
		switch kind := refs[i].Kind; {
		case o.Off(i):
		case kind == transcript.Prompt && !refs[i].Command, o.Document && kind == transcript.Answer:
			o.Prompts = append(o.Prompts, i)
		case kind == transcript.Boundary:
			o.Bounds = append(o.Bounds, i)
		}
		if refs[i].Turn && !o.Off(i) {
			turns++
		}
		if refs[i].Quiet {
			o.Quiet++
		}
		o.Turns[i] = turns
		t := refs[i].Thread
		if i > 0 && t == refs[i-1].Thread || t < 0 || t >= len(threads) {
			continue
		}
		if threads[t].Kind != transcript.Main {
			o.Headings[i] = &threads[t]
		}
	}
	o.setWorks()
}

// Show shows a thread in place of the messages after its split. 0 shows all threads.
func (o *Outline) Show(thread int) {
	o.Shown = thread
	o.Set(o.Refs, o.Threads)
}

// Key returns a number that identifies a message as long as the file only grows.
func (o *Outline) Key(i int) int32 { return key(o.Refs, i) }

// key is the index of a message's first record. The key of a section is made from its ID, a hash of its text.
func key(refs []transcript.MessageRef, i int) int32 {
	if len(refs[i].Records) == 0 {
		return -1 - int32(refs[i].ID&0x7ffffffe) //nolint:gosec // 31 bits
	}
	return refs[i].Records[0]
}

// Index returns the index of the message with a key, or -1.
func (o *Outline) Index(key int32) int {
	for i := range o.Refs {
		if o.Key(i) == key {
			return i
		}
	}
	return -1
}

// Total returns the number of prompts and answers.
func (o *Outline) Total() int {
	if len(o.Turns) == 0 {
		return 0
	}
	return int(o.Turns[len(o.Turns)-1])
}

// IsAgent reports whether a sub-agent's conversation is shown.
func (o *Outline) IsAgent() bool {
	return o.Agent || o.Shown > 0 && o.Threads[o.Shown].Kind == transcript.Sidechain
}

// Answer returns the first answer in [from, to) that isn't work of a turn, or -1.
func (o *Outline) Answer(from, to int) int {
	for i := from; i < to; i++ {
		if o.Refs[i].Kind == transcript.Answer && o.Work(i) == nil {
			return i
		}
	}
	return -1
}

// IsSummary reports whether a message is the summary of a compaction.
func (o *Outline) IsSummary(i int) bool {
	return o.Refs[i].Kind == transcript.Summary && !o.Document
}

// Replaced returns how many messages the model no longer knows because of a summary, or 0.
func (o *Outline) Replaced(i int) (n int) {
	if !o.IsSummary(i) {
		return 0
	}
	for _, span := range dropped.Spans(o.Refs) {
		for k := span.From; span.At == i && k < i; k++ {
			if o.Refs[k].Turn && !o.Refs[k].Known {
				n++
			}
		}
	}
	return n
}

// Horizon returns the index of the last compaction, or -1. The model knows the messages after the compaction.
func (o *Outline) Horizon() int {
	if k := Before(o.Bounds, o.Last+1); k >= 0 {
		return o.Bounds[k]
	}
	return -1
}

// TimeAt returns the time of a message in a time zone. For a message without a time, it returns the last earlier time.
func (o *Outline) TimeAt(i int, zone *time.Location) time.Time {
	for ; i >= 0; i-- {
		if t := o.Refs[i].Time; t != 0 {
			return transcript.At(t).In(zone)
		}
	}
	return time.Time{}
}

// TimeBefore returns the last time in the thread before message i, or zero.
func (o *Outline) TimeBefore(i int) time.Time {
	for k := i - 1; k >= 0 && o.Refs[k].Thread == o.Refs[i].Thread; k-- {
		if o.Refs[k].Time != 0 {
			return transcript.At(o.Refs[k].Time)
		}
	}
	return time.Time{}
}

// Before returns the index of the last number below n in an ascending list, or -1.
func Before(sorted []int, n int) int {
	i, _ := slices.BinarySearch(sorted, n)
	return i - 1
}
