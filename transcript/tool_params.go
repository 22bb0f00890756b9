package transcript

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// Param is a named parameter of a call.
type Param struct {
	Key string
	Raw json.RawMessage
}

// Text returns the value for display: a string, or JSON on one line.
func (p *Param) Text() string {
	var s string
	if p.Raw[0] == '"' && json.Unmarshal(p.Raw, &s) == nil {
		return s
	}
	var b bytes.Buffer
	if json.Compact(&b, p.Raw) != nil {
		return string(p.Raw)
	}
	return b.String()
}

// Params are the parameters of a call, in the order in the file.
type Params []Param

// Named returns the last parameter with a name; nil if there is none.
func (ps Params) Named(key string) *Param {
	for i := len(ps) - 1; i >= 0; i-- {
		if ps[i].Key == key {
			return &ps[i]
		}
	}
	return nil
}

// String returns a string parameter; "" if it is missing or isn't a string.
func (ps Params) String(key string) string {
	if p := ps.Named(key); p != nil {
		return stringOf(p.Raw)
	}
	return ""
}

// decode decodes a parameter; false if it is missing or has another form.
func (ps Params) decode(key string, v any) bool {
	p := ps.Named(key)
	return p != nil && json.Unmarshal(p.Raw, v) == nil
}

// line returns a parameter with a line number; 0 if there is none. One old client has a string.
func (ps Params) line(key string) int {
	p := ps.Named(key)
	if p == nil {
		return 0
	}
	n, err := strconv.Atoi(strings.Trim(string(p.Raw), `"`))
	if err != nil {
		return 0
	}
	return lineNumber(n)
}

// lineNumber returns n, or 0 if n can't be a line number.
func lineNumber(n int) int {
	const most = 1 << 30
	if n < 1 || n > most {
		return 0
	}
	return n
}

// paramsOf returns the undecoded parameters of a call; nil if its input isn't an object.
func paramsOf(input json.RawMessage) Params {
	input = bytes.Trim(input, " \t\r\n") // white space in JSON
	if len(input) == 0 || input[0] != '{' || jsonlex.SkipValue(input, 0, 0) != len(input) {
		return nil
	}
	params := Params{}
	i := jsonlex.SkipSpace(input, 1)
	for input[i] == '"' {
		end, _ := jsonlex.SkipQuoted(input, i+1)
		p := Param{Key: stringOf(input[i:end])}
		i = jsonlex.SkipColon(input, end)
		end = jsonlex.SkipValue(input, i, 1)
		p.Raw = input[i:end]
		params = append(params, p)
		if i = jsonlex.SkipSpace(input, end); input[i] == ',' {
			i = jsonlex.SkipSpace(input, i+1)
		}
	}
	return params
}
