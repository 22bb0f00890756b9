package out

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Tabbed returns the cleaned words as a tab-separated line.
func Tabbed(words ...string) string {
	for i, w := range words {
		words[i] = OrUnknown(transcript.CleanLine(w))
	}
	return strings.Join(words, "\t") + "\n"
}

// When returns a time for programs, "" if unknown.
func When(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// unknown is printed for an unknown value, because shells read two tabs as one.
const unknown = "-"

// OrUnknown returns the text, or "-" if it is empty.
func OrUnknown(s string) string {
	if s == "" {
		return unknown
	}
	return s
}

// Path is a path or another text whose spaces are kept in piped output.
type Path string

// tabText returns a value for a pipe, cleaned, "" for nil and for types without a short form.
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
