package out

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Tabbed joins words with tabs, without control characters.
func Tabbed(words ...string) string {
	for i, w := range words {
		words[i] = OrUnknown(transcript.CleanLine(w))
	}
	return strings.Join(words, "\t") + "\n"
}

// When formats a time for programs; "" if unknown.
func When(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// unknown is an unknown value. A shell would lose an empty value: it reads two tabs as one separator.
const unknown = "-"

// OrUnknown returns the text, or "-" for "".
func OrUnknown(s string) string {
	if s == "" {
		return unknown
	}
	return s
}

// Path is a text that keeps its blanks in a pipe, such as a path.
type Path string

// tabText formats a value for a pipe, without control characters. It returns "" for nil, and for types without a short
// form.
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
