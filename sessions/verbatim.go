package sessions

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Verbatim is a text that comes back from JSON byte for byte, which has no form for a path that is not UTF-8.
type Verbatim string

type verbatimBytes struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON writes a string, or an object where that would change it.
func (v Verbatim) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(v)) {
		return json.Marshal(string(v))
	}
	return json.Marshal(verbatimBytes{[]byte(v)})
}

// UnmarshalJSON reads both.
func (v *Verbatim) UnmarshalJSON(data []byte) error {
	if strings.HasPrefix(string(data), "{") {
		var b verbatimBytes
		err := json.Unmarshal(data, &b)
		*v = Verbatim(b.Base64)
		return err
	}
	return json.Unmarshal(data, (*string)(v))
}
