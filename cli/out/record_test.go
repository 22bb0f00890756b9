package out

import (
	"math"
	"strings"
	"testing"
	"time"
)

type kind string

func aRecord() *Record {
	n, none := 3, (*int)(nil)
	r := NewRecord().Set("name", "a\tb\x1b[31m").Set("path", Path("/x  y")).Set("config", nil).Tab("short", "ab")
	r.Line("thing", "short name path config")
	r.In("at").Set("time", Time(time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC))).Set("count", &n).Set("left", none).Line("at", "time count left")
	list := r.List("parts")
	for _, ratio := range []float64{0.5, 1} {
		list.Add().Set("kind", kind("k")).Set("ratio", ratio).Set("ok", ratio == 1).Line("part", "ratio kind ok")
	}
	r.List("none")
	r.Set("tags", []string{"a", "b"}).Lines("tag", []string{"a", ""})
	return r.Set("config", "new")
}

func TestRecord(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name           string
		terminal, json bool
		want           string
	}{
		{"terminal", true, false, "page\n"},
		{"pipe", false, false, "thing\tab\ta b\t/x  y\t-\nat\t2026-11-21T15:52:00Z\t3\t-\npart\t0.5\tk\tfalse\npart\t1\tk\ttrue\ntag\ta\ntag\t-\n"},
		{"json", true, true, `{"name":"a\tb\u001b[31m","path":"/x  y","config":"new","at":{"time":"2026-11-21T15:52:00Z","count":3,"left":null},` +
			`"parts":[{"kind":"k","ratio":0.5,"ok":false},{"kind":"k","ratio":1,"ok":true}],"none":[],"tags":["a","b"]}` + "\n"},
	} {
		var out, err strings.Builder
		o := New(strings.NewReader(""), &out, &err, func(string) string { return "" })
		o.Out.Terminal, o.JSON = tt.terminal, tt.json
		if e := aRecord().Print(o, func() string { return "page\n" }); e != nil || out.String() != tt.want || err.Len() > 0 {
			t.Errorf("%s: got %v %q\n%s\nwant\n%s", tt.name, e, &err, &out, tt.want)
		}
	}
	bad := NewRecord()
	bad.List("list").Add().Set("ratio", math.NaN())
	if text, err := EncodeJSON(bad); err == nil {
		t.Errorf("NaN was encoded: %s", text)
	}
}
