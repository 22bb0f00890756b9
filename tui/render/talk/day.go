package talk

import (
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
)

// DayHeading returns a blank line and a heading with the day of t. It returns nil if before is on the same day, if t is
// unknown, or if there is no room for times. before is zero for the first message.
func DayHeading(t, before, now time.Time, o Options) []string {
	zone := o.Zone
	if zone == nil {
		zone = time.UTC
	}
	t, now = t.In(zone), now.In(zone)
	if t.IsZero() || !o.hasTimes() || !before.IsZero() && words.DaysBetween(before, t) == 0 {
		return nil
	}
	day := t.Format("Monday, Jan 2")
	switch days := words.DaysBetween(t, now); {
	case days == 0:
		day = "Today"
	case days == 1:
		day = "Yesterday"
	case t.Year() != now.Year():
		day = t.Format("Monday, Jan 2, 2006")
	}
	if o.Styles == nil {
		o.Styles = render.NewStyles(render.None)
	}
	return []string{"", render.NewLine(o.Styles, o.Width).To(o.Left+2).Put(render.Heading, day).String()}
}
