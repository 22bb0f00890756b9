package out

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Tabbed joins words to a tab-separated line, and removes control characters from the words.
func Tabbed(words ...string) string {
	for i, w := range words {
		words[i] = OrUnknown(transcript.CleanLine(w))
	}
	return strings.Join(words, "\t") + "\n"
}

// When formats a time for programs; "" if it is unknown.
func When(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// unknown stands for an unknown value. An empty value would be lost: a shell reads two tabs as one separator.
const unknown = "-"

// OrUnknown returns the text. If the text is empty, it returns "-".
func OrUnknown(s string) string {
	if s == "" {
		return unknown
	}
	return s
}

// Path is a path, or another text, that keeps its blanks in piped output.
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
