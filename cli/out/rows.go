package out

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Tabbed returns the words as a tab-separated line. It removes control characters from them.
func Tabbed(words ...string) string {
	for i, w := range words {
		words[i] = OrUnknown(transcript.CleanLine(w))
	}
	return strings.Join(words, "\t") + "\n"
}

// When returns a time in the form for programs; "" if it is unknown.
func When(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// unknown stands for an unknown value. The value isn't empty, because a shell reads two tabs as one.
const unknown = "-"

// OrUnknown returns the text. If the text is empty, it returns "-".
func OrUnknown(s string) string {
	if s == "" {
		return unknown
	}
	return s
}

// Path is a path, or another text, whose blanks stay in piped output.
type Path string

// tabText returns a value in the form for a pipe, without control characters. It returns "" for nil, and for a
// type that has no short form.
func tabText(value any) string {
	switch v := value.(type) {
	case Path:
		return CleanPath(string(v))
	case []string:
		return transcript.CleanLine(strings.Join(v, ","))
	case Time:
		return When(time.Time(v))
	}
	switch v := reflect.ValueOf(value); {
	case v.Kind() == reflect.String:
		return transcript.CleanLine(v.String())
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.Kind() == reflect.Pointer && !v.IsNil():
		return tabText(v.Elem().Interface())
	}
	return ""
}
