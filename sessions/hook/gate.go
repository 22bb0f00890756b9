package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Judge runs the gate: the checks of a project's ledger (spec 002). It writes nothing.
type Judge interface {
	// Holds reports whether a failed gate blocks a compaction in a folder. It returns true for a strict gate with a
	// ledger, and for an unreadable config.
	Holds(ctx context.Context, dir string) (bool, error)
	// Reasons returns why the gate fails. It returns nil if the gate passes or the project has no ledger. full
	// selects the full gate for a /clear.
	Reasons(ctx context.Context, dir string, full bool) ([]Reason, error)
}

// Reason is a reason why a gate failed.
type Reason struct {
	Step string // describes the failed check, without a full stop
	// Help has details and solutions, one per line, perhaps with text of agents. Claude Code shows them to the user
	// and the model if a /compact is blocked.
	Help []string
}

// GateResult is the result of a gate hook.
type GateResult struct {
	Result
	Err  string // text for stderr, which Claude Code shows if Held is true
	Held bool   // block the compaction: exit with status 2
}

const (
	gateLimit  = 10 * time.Second // time limit of a run; Claude Code's limit is 30 s
	maxReasons = 12               // maximum number of lines
	maxReason  = 300              // maximum length of a line in characters
)

// The messages of the gate hooks.
const (
	msgRejected = "The gate failed, so nothing was compacted:\n"
	msgUnsure   = "The gate could not be checked, so nothing was compacted: %s.\n"
	msgMend     = "Fix this and try again; `continuo gate` shows the details. To compact anyway, set grounding_enforcement: warn " +
		"in .loa.config.yaml, and remove other lines with that key.\n"
	msgBefore = "GATE_NOT_PASSED: The gate had not passed before this "
	msgRun    = "Run continuo gate"
)

// Gate handles an event of Claude Code, within ten seconds. It doesn't panic, and its errors are in the Run.
//
// Gate blocks a compaction if the gate is strict, and fails or can't be checked. After it has blocked an automatic
// compaction, it doesn't block the next one. A passed gate or a compaction resets this.
//
// After a /clear, or after a compaction that Gate had blocked once, Gate sends the model a message if the gate fails.
// No hook can block a /clear (client 2.1.330).
func Gate(ctx context.Context, in In, judge Judge, held *HeldOnce) GateResult {
	ctx, cancel := context.WithTimeout(ctx, gateLimit)
	defer cancel()
	began := in.Now()
	first := Run{Time: began.UTC().Truncate(time.Millisecond), Event: EventGate, Result: ResultNothing}
	done := make(chan GateResult, 1)
	go func() {
		g := &gating{in: in, judge: judge, held: held}
		g.Run = first
		if p := sessions.Catch(func() { g.handle(ctx) }); p != nil {
			g.fail(p)
		}
		done <- g.GateResult
	}()
	r := awaited(ctx, done, func() GateResult {
		late := first
		late.Result, late.Error = ResultFailed, gateError(ctx.Err())
		return GateResult{Result: Result{Run: late}}
	})
	r.Run.MS = in.Now().Sub(began).Milliseconds()
	return r
}

// gating is the state of one call of Gate.
type gating struct {
	in    In
	judge Judge
	held  *HeldOnce
	dir   string
	GateResult
}

func (g *gating) fail(err error) { g.Run.Result, g.Run.Error = ResultFailed, gateError(err) }

// gateError returns the text of an error on one line.
func gateError(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "took longer than 10 s"
	}
	return errorText(err)
}

func (g *gating) handle(ctx context.Context) {
	run := &g.Run
	input, err := readPayload(ctx, g.in.Payload)
	run.Session = cmp.Or(string(input.Session), g.in.Env("CLAUDE_CODE_SESSION_ID"))
	run.Reason = cmp.Or(string(input.Trigger), string(input.Source))
	g.dir = directoryOf(g.in, input)
	project, ok := ProjectOf(g.dir, g.in.Home)
	run.Project = cmp.Or(project, g.dir)
	switch {
	case !ok:
		run.Result = ResultNoMemory
	case err != nil:
		g.fail(err)
	case input.Event == "PreCompact":
		g.before(ctx, input.Trigger == "manual")
	case input.Event == "SessionStart" && input.Source == "clear":
		g.after(ctx, "/clear", true)
	case input.Event == "SessionStart" && input.Source == "compact":
		if g.held.forget(run.Session) {
			g.after(ctx, "compaction, which was blocked once", false)
		}
	}
}

// before decides whether to block a compaction.
func (g *gating) before(ctx context.Context, manual bool) {
	hold, reasons, err := g.ask(ctx, false, false)
	switch {
	case !hold:
		if err != nil { // the need to block is unknown
			g.fail(err)
		}
		return
	case err != nil:
		g.Run.Error = gateError(err)
	case len(reasons) == 0:
		g.held.forget(g.Run.Session)
		g.Run.Result = ResultPassed
		return
	}
	if !manual {
		// Block once: a session with a full context can't continue without a compaction.
		if first, kept := g.held.once(g.Run.Session); !first {
			if g.Run.Result = ResultLet; kept != nil {
				g.Run.Error = errorText(kept)
			}
			return
		}
	}
	g.Run.Result, g.Held = ResultHeld, true
	if err != nil {
		g.Err = fmt.Sprintf(msgUnsure, cut(g.Run.Error)) + msgMend
		return
	}
	var lines []string
	for _, r := range reasons {
		lines = append(lines, cut(r.Step))
		for _, help := range r.Help {
			lines = append(lines, "  "+cut(help))
		}
	}
	if len(lines) > maxReasons {
		lines = append(lines[:maxReasons], "and more")
	}
	g.Err = msgRejected + strings.Join(lines, "\n") + "\n" + msgMend
}

// after runs the gate after a /clear or a compaction. A failed gate sets a message to the model. what names the event
// in the message.
func (g *gating) after(ctx context.Context, what string, full bool) {
	hold, reasons, err := g.ask(ctx, full, true)
	command := msgRun
	if full {
		command += " --full"
	}
	switch {
	case err != nil:
		if g.fail(err); hold {
			g.Out = msgBefore + what + ": it could not be checked. " + command + ".\n"
		}
	case len(reasons) > 0:
		var steps []string
		for _, r := range reasons[:min(len(reasons), maxReasons)] {
			steps = append(steps, cut(r.Step))
		}
		g.Run.Result, g.Out = ResultTold, msgBefore+what+": "+strings.Join(steps, "; ")+". "+command+".\n"
	case hold:
		g.Run.Result = ResultPassed
	}
}

// ask calls the judge, and returns when ctx ends. hold is the result of Holds, even with an error. Reasons is called
// if hold or anywhere is true.
func (g *gating) ask(ctx context.Context, full, anywhere bool) (hold bool, reasons []Reason, err error) {
	type answer struct {
		reasons []Reason
		err     error
	}
	var holds atomic.Bool
	got := make(chan answer, 1)
	go func() {
		var a answer
		if p := sessions.Catch(func() {
			var is bool
			if is, a.err = g.judge.Holds(ctx, g.dir); a.err == nil && (is || anywhere) {
				holds.Store(is)
				a.reasons, a.err = g.judge.Reasons(ctx, g.dir, full)
			}
		}); p != nil {
			a = answer{err: p}
		}
		got <- a
	}()
	select {
	case a := <-got:
		return holds.Load(), a.reasons, a.err
	case <-ctx.Done():
		return holds.Load(), nil, ctx.Err()
	}
}

// cut returns a text on one line, truncated to maxReason characters.
func cut(text string) string {
	text = transcript.CleanLine(text)
	if utf8.RuneCountInString(text) <= maxReason {
		return text
	}
	return string([]rune(text)[:maxReason-1]) + "…"
}
