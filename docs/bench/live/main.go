// Live plays claude for live.sh and keeper.sh, and measures delays for live.sh.
//
//	live client ID   plays claude: it answers a prompt with marks, one on each line
//	live watch       reads the output of a terminal, and prints the delays between the client and the terminal
//
// $BENCH_MARKS is the file with the stderr of the client.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	err := errors.New("usage: live client ID, or live watch")
	switch {
	case len(os.Args) > 1 && os.Args[1] == "watch":
		err = watch(os.Stdin, os.Stdout)
	case len(os.Args) > 2 && os.Args[1] == "client":
		err = client(os.Args[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "live:", err)
		os.Exit(2)
	}
}

const (
	marks = 200                   // marks of an answer
	every = 50 * time.Millisecond // time between two marks
	size  = 8                     // letters of a mark
)

// mark returns mark n. Each letter differs from mark n-1, so that a terminal receives all letters of a mark drawn over
// the previous one.
func mark(n int) string {
	m := make([]byte, size)
	for i := range m {
		m[i] = byte('a' + (n*7+n/26*(i+1)*2+i*5)%26)
	}
	return string(m)
}

// client plays a client that speaks stream-json. It writes the time of each mark to stderr.
func client(id string) error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		if bytes.Contains(lines.Bytes(), []byte(`"type":"user"`)) {
			answer(id)
		}
	}
	return lines.Err()
}

// answer streams the marks.
func answer(id string) {
	say := func(line map[string]any) {
		line["session_id"] = id
		text, _ := json.Marshal(line)
		fmt.Println(string(text))
	}
	say(map[string]any{"type": "system", "subtype": "init", "model": "opus", "permissionMode": "default"})
	say(map[string]any{"type": "stream_event", "event": map[string]any{"type": "message_start"}})
	for i := range marks {
		time.Sleep(every)
		fmt.Fprintf(os.Stderr, "%s %d\n", mark(i), time.Now().UnixMicro())
		say(map[string]any{"type": "stream_event", "event": map[string]any{
			"type": "content_block_delta", "delta": map[string]any{"type": "text_delta", "text": "\n" + mark(i)},
		}})
	}
	time.Sleep(time.Second) // the end of the turn removes the last mark
	say(map[string]any{"type": "result", "subtype": "success", "terminal_reason": "completed"})
}

// watch finds the marks in the output of a terminal.
func watch(in io.Reader, out io.Writer) error {
	seen := map[string]time.Time{}
	var tail []byte
	next, buf := 0, make([]byte, 64<<10)
	for next < marks {
		n, err := in.Read(buf)
		now := time.Now()
		tail = append(tail, buf[:n]...)
		for i := next; i < marks; i++ {
			if bytes.Contains(tail, []byte(mark(i))) {
				seen[mark(i)], next = now, i+1
			}
		}
		tail = tail[max(0, len(tail)-1024):]
		if err != nil {
			break
		}
	}
	log, err := os.ReadFile(os.Getenv("BENCH_MARKS"))
	if err != nil {
		return err
	}
	var delays []float64
	for line := range strings.Lines(string(log)) {
		name, at, _ := strings.Cut(strings.TrimSpace(line), " ")
		micros, err := strconv.ParseInt(at, 10, 64)
		if shown, ok := seen[name]; ok && err == nil {
			delays = append(delays, float64(shown.UnixMicro()-micros)/1000)
		}
	}
	if len(delays) < marks/2 {
		return fmt.Errorf("only %d of %d marks were seen", len(delays), marks)
	}
	slices.Sort(delays)
	_, err = fmt.Fprintf(out, "client to terminal: median %.1f ms, p95 %.1f ms, worst %.1f ms, %d of %d marks\n",
		delays[len(delays)/2], delays[len(delays)*95/100], delays[len(delays)-1], len(delays), marks)
	return err
}
