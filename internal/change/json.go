package change

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Verbatim is a text that keeps its bytes in JSON even if it isn't UTF-8, such as a path.
type Verbatim string

type verbatimBytes struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON returns a string, or {"base64":…} if the text isn't UTF-8.
func (v Verbatim) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(v)) {
		return json.Marshal(string(v))
	}
	return json.Marshal(verbatimBytes{[]byte(v)})
}

// UnmarshalJSON reads both forms.
func (v *Verbatim) UnmarshalJSON(data []byte) error {
	if strings.HasPrefix(string(data), "{") {
		var b verbatimBytes
		err := json.Unmarshal(data, &b)
		*v = Verbatim(b.Base64)
		return err
	}
	return json.Unmarshal(data, (*string)(v))
}

// plainOp is an Op without methods.
type plainOp Op

// opFile is the JSON form of an Op. Its path fields hide those of plainOp.
type opFile struct {
	*plainOp
	Dir   Verbatim   `json:"dir"`
	Name  Verbatim   `json:"name"`
	To    Verbatim   `json:"to,omitempty"`
	From  Verbatim   `json:"from,omitempty"`
	Next  Verbatim   `json:"next,omitempty"`
	Dirs  []Verbatim `json:"dirs,omitempty"`
	Empty []Verbatim `json:"empty,omitempty"`
}

// MarshalJSON keeps the bytes of paths. It omits the Text of a Make or a Replace, which have a Sum.
func (o Op) MarshalJSON() ([]byte, error) {
	if o.Verb == Make || o.Verb == Replace {
		o.Text = nil
	}
	f := opFile{
		plainOp: (*plainOp)(&o),
		Dir:     Verbatim(o.Dir), Name: Verbatim(o.Name), To: Verbatim(o.To), From: Verbatim(o.From), Next: Verbatim(o.Next),
	}
	f.Dirs, f.Empty = verbatims(o.Dirs), verbatims(o.Empty)
	return json.Marshal(f)
}

// UnmarshalJSON reads the output of MarshalJSON.
func (o *Op) UnmarshalJSON(data []byte) error {
	*o = Op{}
	f := opFile{plainOp: (*plainOp)(o)}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	o.Dir, o.Name, o.To, o.From, o.Next = string(f.Dir), string(f.Name), string(f.To), string(f.From), string(f.Next)
	o.Dirs, o.Empty = texts(f.Dirs), texts(f.Empty)
	if len(o.Args) == 0 {
		o.Args = nil
	}
	o.Modified, o.Time = o.Modified.UTC(), o.Time.UTC()
	if o.Verb == Make || o.Verb == Replace || len(o.Text) == 0 {
		o.Text = nil
	}
	if len(o.Before) == 0 {
		o.Before = nil
	}
	return nil
}

func verbatims(list []string) (v []Verbatim) {
	for _, s := range list {
		v = append(v, Verbatim(s))
	}
	return v
}

func texts(list []Verbatim) (s []string) {
	for _, v := range list {
		s = append(s, string(v))
	}
	return s
}
