package out

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Tabbed is a line of cleaned words with tabs between, for programs.
func Tabbed(words ...string) string {
	for i, w := range words {
		words[i] = OrUnknown(transcript.CleanLine(w))
	}
	return strings.Join(words, "\t") + "\n"
}

// When is a time for programs, "" unknown.
func When(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// unknown stands for a value that is not known, because a shell takes two tabs for one.
const unknown = "-"

// OrUnknown returns the text, Unknown for an empty one.
func OrUnknown(s string) string {
	if s == "" {
		return unknown
	}
	return s
}

// Path is a path, or another text, as a value: a pipe keeps its blanks.
type Path string

// tabText returns a value for a pipe, cleaned: "" for nil and for what has no short form.
func tabText(value any) string {
	switch v := value.(type) {
	case Path:
		return CleanPath(string(v))
	case []string:
		return transcript.CleanLine(strings.Join(v, ","))
	case Time:
		return When(time.Time(v))
	}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.String:
		return transcript.CleanLine(v.String())
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Pointer:
		if !v.IsNil() {
			return tabText(v.Elem().Interface())
		}
	}
	return ""
}
