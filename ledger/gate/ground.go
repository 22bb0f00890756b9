package gate

import (
	"strings"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/transcript"
)

// grounding runs step 1: the ratio of grounded claims must reach the threshold.
func grounding(f *Facts) Step {
	s := Step{Name: "Grounding"}
	c, k := &f.Config.Grounding, &f.Claims
	if c.Enforcement == ledger.Disabled {
		s.Status, s.Figure = Off, "off"
		s.Note = "enforcement is disabled" + by(c.EnforcementSource)
		return s
	}
	if f.TrajectoryTrouble != "" {
		s.Status, s.Figure = Unknown, "not checked"
		s.More = append(s.More, f.TrajectoryTrouble)
		return s
	}
	if k.Cut != "" {
		s.Status, s.Figure = Unknown, "not checked"
		s.More = append(s.More, cutWords(k))
		return s
	}
	s.Figure = k.Tally.figure(c.Threshold)
	switch {
	case k.Tally.Claims == 0:
		s.Status, s.Figure, s.Note = Pass, "–", "no claims were logged"
		if !c.ZeroClaimPasses {
			s.Status, s.Note = Warning, "no claims were logged, and grounding.zero_claim_passes is off"
		}
	case k.Tally.Ratio() < c.Threshold:
		s.Status = Warning
		s.Note = number(k.Tally.Grounded()) + " of " + counted(k.Tally.Claims, "claim cites a source", "claims cite a source")
	default:
		s.Status = Pass
		s.Note = number(k.Tally.Grounded()) + " of " + counted(k.Tally.Claims, "claim cites a source", "claims cite a source")
	}
	if s.Status == Pass && k.hides(c.Threshold) {
		s.Status, s.Figure, s.Note = Unknown, "not checked", "there may be other claims"
		s.More = append(s.More, hiddenWords(k))
	}
	if n := f.Unjudged.Tally.Claims; n > 0 {
		s.More = append(s.More, unjudged(&f.Unjudged, f.Judged))
		if s.Status == Pass && c.Enforcement == ledger.Strict {
			s.Status = Unknown
		}
	}
	s.Original = originalWords(k, c.Threshold)
	s.More = append(s.More, f.elsewhere()...)
	if k.Bad > 0 && s.Status != Unknown {
		s.More = append(s.More, counted(k.Bad, "record", "records")+" of the trajectory could not be parsed; the first is at "+k.BadAt+".")
	}
	if s.Status == Pass || s.Status == Unknown {
		return s // the threshold allows some claims without grounding
	}
	for i := range k.Bare {
		s.Findings = append(s.Findings, k.Bare[i].finding())
	}
	s.Left = max(k.Tally.Claims-k.Tally.Grounded()-len(k.Bare), 0)
	return s
}

// unjudged returns a sentence about the claims of agents that aren't judged.
func unjudged(k *Claims, judged string) string {
	who := strings.Join(k.Agents, ", ")
	if k.Tally.Claims == 1 {
		return "1 claim of " + who + " was not judged, because only claims of " + judged + " are."
	}
	return number(k.Tally.Claims) + " claims of " + who + " were not judged, because only claims of " + judged + " are."
}

// hides reports whether unread claims could lower the ratio below the threshold. A record that can't be parsed counts
// as one claim. A record that is too long may have any number.
func (k *Claims) hides(threshold float64) bool {
	worst := k.Tally
	worst.Claims += k.Missed
	return k.Long > 0 || k.Missed > 0 && worst.Ratio() < threshold
}

// hiddenWords returns a sentence about unread text that may contain claims.
func hiddenWords(k *Claims) string {
	if k.Bad == 0 {
		return counted(k.Missed, "line", "lines") + " of the trajectory may be claims that were not counted. Write each claim as a separate record."
	}
	return counted(k.Bad, "record", "records") + " of the trajectory could not be parsed; the first is at " + k.BadAt + ". Fix or remove it, because it may be a claim."
}

// cutWords returns a sentence about a file that was too long.
func cutWords(k *Claims) string {
	return transcript.CleanLine(k.Cut) + " is too large to read. A day of logs usually takes a few megabytes; check which program wrote it."
}

// by returns " by KEY" for the config key that sets a value; "" if there is no key.
func by(key string) string {
	if key == "" {
		return ""
	}
	return " by " + key
}

// finding returns the finding for a claim without grounding, with its fix.
func (c *Claim) finding() Finding {
	x := Finding{Title: c.Text, What: "cites no source", File: c.File, Line: c.Line}
	x.Fix = "cite the code with quote, path and line, or mark the claim [ASSUMPTION]"
	if c.Assumption {
		x.What = "is an assumption"
		x.Fix = "find and cite the code, ask the user (user_input), or withdraw the claim"
	}
	if x.Title == "" {
		x.Title = "A claim without text"
	}
	return x
}

// originalWords returns a sentence about the result of the original script; nil if the result is the same. With the
// name of the step, it must fit into 80 cells.
func originalWords(k *Claims, threshold float64) []string {
	t, o := k.Tally, k.Original
	if t.decimals(2) == o.decimals(2) && (t.Ratio() < threshold) == (o.Ratio() < threshold) {
		return nil
	}
	words := "The original script has " + o.decimals(2) + ": it "
	switch {
	case o.Grounded() > o.Claims:
		words += "counts every phase"
	case o.Claims < t.Claims:
		words += "finds " + number(o.Claims) + " of " + number(t.Claims) + " claims"
	default:
		words += "accepts " + number(o.Grounded()) + " of " + number(o.Claims) + " claims"
	}
	return []string{words + "."}
}

// elsewhere returns a sentence that names agents with a trajectory if the judged agent has none. It returns nil if
// unjudged already names them.
func (f *Facts) elsewhere() []string {
	if f.Claims.Records > 0 || len(f.Others) == 0 || f.Unjudged.Tally.Claims > 0 {
		return nil
	}
	const most = 5
	names := f.Others
	if len(names) > most {
		names = append(names[:most:most], counted(len(f.Others)-most, "more", "more"))
	}
	return []string{f.Judged + " has no trajectory for " + f.Day + "; these agents have one: " + strings.Join(names, ", ") + "."}
}

// negative runs step 2: a claim that a feature doesn't exist needs searches for the feature.
func negative(f *Facts) Step {
	s := Step{Name: "Negative grounding"}
	c := &f.Config.Grounding
	switch {
	case c.Enforcement == ledger.Disabled:
		s.Status, s.Figure, s.Note = Off, "off", "enforcement is disabled"+by(c.EnforcementSource)
		return s
	case !c.Negative.Enabled:
		s.Status, s.Figure, s.Note = Off, "off", "by grounding.negative.enabled"
		return s
	case f.TrajectoryTrouble != "":
		s.Status, s.Figure = Unknown, "not checked"
		return s
	}
	if f.Claims.Cut != "" {
		s.Status, s.Figure = Unknown, "not checked"
		s.More = append(s.More, cutWords(&f.Claims))
		return s
	}
	count := map[Standing]int{}
	for i := range f.Claims.Ghosts {
		g := &f.Claims.Ghosts[i]
		stand, why := g.Stand(&c.Negative)
		count[stand]++
		if stand == Unverified || stand == Ambiguous {
			s.Findings = append(s.Findings, g.finding(stand, why))
		}
	}
	s.Status, s.Figure = Pass, number(count[Unverified])+" unverified"
	if n := count[Ambiguous]; n > 0 {
		s.Figure += ", " + number(n) + " highly ambiguous"
	}
	switch k := &f.Claims; {
	case len(s.Findings) > 0:
		s.Status = Warning
	case k.LostGhosts > 0:
		s.Status, s.Figure = Unknown, "not checked"
		s.More = append(s.More, counted(k.LostGhosts, "record of a ghost was", "records of ghosts were")+" not checked; the limit is "+number(len(k.Ghosts))+".")
	case k.Long > 0:
		s.Status, s.Figure = Unknown, "not checked"
		s.More = append(s.More, hiddenWords(k))
	}
	if n := count[Confirmed]; n > 0 {
		s.Note = counted(n, "ghost, with ", "ghosts, each with ") + counted(c.Negative.QueryCount, "query", "queries")
		if count[Unverified]+count[Ambiguous] > 0 {
			s.Note = number(n) + " of " + counted(len(f.Claims.Ghosts)-count[NoGhost], "ghost is confirmed", "ghosts are confirmed")
		}
	} else if len(f.Claims.Ghosts) == 0 {
		s.Note = "no claim that something is missing"
	}
	if s.Status == Unknown {
		s.Note = ""
	}
	if n := count[NoGhost]; n > 0 {
		s.More = append(s.More, counted(n, "claim isn't a ghost: the code contains the feature.", "claims aren't ghosts: the code contains the features."))
	}
	if n := f.Claims.OriginalGhosts; n != len(s.Findings) {
		s.Original = []string{"The original script counts " + number(n) + ", because it looks only at the status."}
	}
	return s
}

// finding returns the finding for a ghost, with its fix.
func (g *Ghost) finding(stand Standing, why string) Finding {
	x := Finding{Title: g.Claim, When: g.At, What: "unverified: " + why, File: g.File, Line: g.Line}
	x.Fix = "search again with different words, and log both queries with their results"
	if stand == Ambiguous {
		x.What = "highly ambiguous: " + why
		x.Fix = "have a person review the claim, and log the name of the person as \"audited_by\""
	}
	if x.Title == "" {
		x.Title = "A ghost without a name"
	}
	return x
}
