package transcript

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Param is one thing that a call was told by name.
type Param struct {
	Key string
	Raw json.RawMessage
}

// Text is the value as it is shown: a string as it is, all else as JSON on one line.
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

// Params is what a call was told, in the order of the file.
type Params []Param

// Named is the last parameter of that name, nil when there is none.
func (ps Params) Named(key string) *Param {
	for i := len(ps) - 1; i >= 0; i-- {
		if ps[i].Key == key {
			return &ps[i]
		}
	}
	return nil
}

// String is a parameter that is a string, "" when it is none.
func (ps Params) String(key string) string {
	if p := ps.Named(key); p != nil {
		return stringOf(p.Raw)
	}
	return ""
}

// decode decodes a parameter; false when there is none or it is of another shape.
func (ps Params) decode(key string, v any) bool {
	p := ps.Named(key)
	return p != nil && json.Unmarshal(p.Raw, v) == nil
}

// line is a parameter that is the number of a line; 0 when it is none. One file of an old client has it as a string.
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

// lineNumber is n, or 0 where no file has such a line.
func lineNumber(n int) int {
	const most = 1 << 30
	if n < 1 || n > most {
		return 0
	}
	return n
}

// paramsOf returns the parameters of a call, nil when its input is no object. The values are not decoded: an input can
// hold a file.
func paramsOf(input json.RawMessage) Params {
	input = bytes.Trim(input, " \t\r\n") // what JSON calls blank
	if len(input) == 0 || input[0] != '{' || skipValue(input, 0, 0) != len(input) {
		return nil
	}
	params := Params{}
	i := skipSpace(input, 1)
	for input[i] == '"' {
		end, _ := skipQuoted(input, i+1)
		p := Param{Key: stringOf(input[i:end])}
		i = skipColon(input, end)
		end = skipValue(input, i, 1)
		p.Raw = input[i:end]
		params = append(params, p)
		if i = skipSpace(input, end); input[i] == ',' {
			i = skipSpace(input, i+1)
		}
	}
	return params
}
