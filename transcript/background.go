package transcript

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// launchRef refers to a result that started a background task.
type launchRef struct {
	task, call ID
	record     int32
}

// endRef refers to the notification of an ended background task.
type endRef struct {
	task, call ID // 0 if the notification doesn't contain the ID
	record     int32
	End
}

// End has the facts of a notification about an ended background task.
type End struct {
	Status string // completed, failed or killed; untrusted
	Exit   int    // exit code of a command; valid if Exited is set
	Exited bool
	Took   time.Duration // duration of the task; 0 if unknown
	Calls  int           // number of calls of a sub-agent; 0 if unknown
	Tokens int64         // tokens of a sub-agent; 0 if unknown
	Text   string        // first mostEnd bytes of the result of a sub-agent; "" if unknown; untrusted
}

// mostEnd is the maximum number of bytes of a result that the outline keeps.
const mostEnd = 400

// launch records the start of a background task, if a record reports one.
func (o *Outline) launch(e *Envelope, record int32) {
	if len(e.Tools) != 1 {
		return
	}
	facts := members(e.Task)
	id := stringOf(facts["backgroundTaskId"])
	if id == "" && string(facts["isAsync"]) == "true" {
		id = stringOf(facts["agentId"])
	}
	if id != "" {
		o.launches = append(o.launches, launchRef{o.id([]byte(id)), o.id(e.Tools[0].ID), record})
	}
}

// end records the end of each background task that a record reports.
func (o *Outline) end(e *Envelope, record int32) {
	for _, s := range e.Text {
		raw := e.Line[s.Start:s.End]
		if !bytes.HasPrefix(raw, []byte("<"+taskTag+">")) && !bytes.HasPrefix(raw, []byte(systemNotification)) {
			continue
		}
		for _, b := range noticesIn(jsonlex.Unquote(raw)) {
			if b.Notice != NoticeTask || b.details.Status == "" {
				continue
			}
			end := End{Status: b.details.Status, Calls: b.details.Calls, Tokens: b.details.Tokens}
			if end.Calls > 0 || end.Tokens > 0 {
				end.Text = strings.ToValidUTF8(b.Text[:min(len(b.Text), mostEnd)], "")
			}
			if _, code, ok := strings.Cut(b.Title, "exit code "); ok {
				n, err := strconv.Atoi(strings.TrimRight(code, ")."))
				end.Exit, end.Exited = n, err == nil
			}
			o.ends = append(o.ends, endRef{o.id([]byte(b.details.Task)), o.id([]byte(b.CallID)), record, end})
		}
	}
}

// mostLaunches is the maximum number of compared launches.
const mostLaunches = 2000

// endOf returns the end of the background task that a record started; nil if unknown.
func (o *Outline) endOf(record int32) *End {
	for n := len(o.launches) - 1; n >= max(len(o.launches)-mostLaunches, 0); n-- {
		l := &o.launches[n]
		if l.record != record {
			continue
		}
		for k := max(len(o.ends)-mostLaunches, 0); k < len(o.ends); k++ {
			if e := o.ends[k]; e.record > record && (e.task == l.task && e.task != 0 || e.call == l.call && e.call != 0) {
				if from, to := o.Records[record].Time, o.Records[e.record].Time; from > 0 && to > from {
					e.Took = milliseconds(to - from)
				}
				return &e.End
			}
		}
	}
	return nil
}

// callOf returns the ID of the call that started the task of a notification; "" if unknown.
func (o *Outline) callOf(b *Block, record int32) string {
	task, call := o.ids[b.details.Task], o.ids[b.CallID]
	for n := len(o.launches) - 1; n >= max(len(o.launches)-mostLaunches, 0); n-- {
		if l := &o.launches[n]; l.record < record && (l.task == task && task != 0 || l.call == call && call != 0) {
			return o.Name(l.call)
		}
	}
	return ""
}
