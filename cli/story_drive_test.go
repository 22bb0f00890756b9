//go:build unix

package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// drivenClient imitates a client that continuo drives. It asks for a permission, or streams an endless answer.
// The two %s are the config directory and the time in milliseconds.
const drivenClient = `#!/bin/sh
[ "$1" = --version ] && echo '2.1.330 (Claude Code)' && exit
for word; do
	[ "$was" = --resume ] && id=$word
	was=$word
done
config='%s'
file=$(ls "$config"/projects/*/"$id".jsonl)
mkdir -p "$config/sessions"
trap 'rm -f "$config/sessions/$$.json"' EXIT
status() {
	printf '{"pid":%%s,"sessionId":"%%s","cwd":"%%s","updatedAt":%s,"status":"%%s","entrypoint":"continuo"}' $$ "$id" "$PWD" "$1" >"$config/part"
	mv "$config/part" "$config/sessions/$$.json"
}
message() { # type, UUID, message
	printf '{"type":"%%s","uuid":"%%s","message":%%s,"parent_tool_use_id":null}\n' "$1" "$2" "$3"
	printf '{"type":"%%s","uuid":"%%s","parentUuid":"%%s","cwd":"%%s","sessionId":"%%s","message":%%s}\n' "$1" "$2" "$last" "$PWD" "$id" "$3" >>"$file"
	last=$2
}
last=$(sed -n '$s/.*"uuid":"\([^"]*\)".*/\1/p' "$file")
input='{"file_path":"'$PWD'/bell.go","old_string":"ring(1)\n","new_string":"tune()\nring(2)\n"}'
status idle
while read -r line; do
	case $line in
	*'"allow"'*)
		message user u2 '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}'
		message assistant u3 '{"role":"assistant","id":"m2","content":[{"type":"text","text":"The bell is tuned."}]}'
		status idle
		echo '{"type":"result","subtype":"success","terminal_reason":"completed"}' ;;
	*'"type":"user"'*)
		status busy
		message user "$(printf %%s "$line" | sed 's/.*"uuid":"\([^"]*\)".*/\1/')" "$(printf %%s "$line" | sed 's/.*"message":\({[^}]*}\).*/\1/')"
		case $line in
		*edit*)
			message assistant u1 '{"role":"assistant","id":"m1","content":[{"type":"tool_use","id":"t1","name":"Edit","input":'"$input"'}]}'
			status waiting
			printf '{"type":"control_request","request_id":"q1","request":{"subtype":"can_use_tool","tool_name":"Edit","input":%%s,"tool_use_id":"t1"}}\n' "$input" ;;
		*)
			for part in 'Two things:\n\n- a **bell**;\n- a rope.\n\n' 'Not done: the clapper'; do
				printf '{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"%%s"}},"parent_tool_use_id":null}\n' "$part"
			done ;;
		esac ;;
	esac
done
`

// TestStoryDrive drives a session on the Live tab.
func TestStoryDrive(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) {
			t.Parallel()
			d := newResumeWorld(t, size[0], size[1], func(home string) { tell(t, home, harbour()) })
			putProgram(t, filepath.Join(d.dir, "bin", "claude"), fmt.Sprintf(drivenClient, d.config, fmt.Sprint(now().UnixMilli())))
			d.browse("Tune", 1)
			d.keys("w")
			d.wait(`In continuo`)
			d.keys("c")
			d.wait(`● idle`)
			d.text("edit the bell")
			d.wait(`❯ edit the bell`)
			d.keys("Enter")
			d.wait(`\? Edit asks\. A opens the question`)
			if now := d.wait(`▸ Edit +bell\.go`); strings.Count(now, "edit the bell") != 1 {
				t.Errorf("the prompt is not shown once:\n%s", now)
			}
			d.keys("Escape")
			d.wait(`^ A answer `)
			d.keys("q")
			d.wait(`Live (1 )?1\?`)
			d.keys("BTab")
			d.wait(`^▌ \? Tune the harbour.* waits for you .*\n▌ +Edit   bell\.go  \+2 −1`)
			d.keys("A")
			d.wait(`Edit  bell\.go  in ~/code/harbour +\+2 −1`)
			d.wait(`o  Allow once`)
			d.keys("o")
			d.wait(`The bell is tuned\.`)
			d.wait(`● idle`)
			d.keys(">")
			d.wait(`^ enter send `)
			d.text("what is there")
			d.wait(`❯ what is there`)
			d.keys("Enter")
			d.wait(`❯ what is there.*\n    Two things:(.*\n)+?    • a bell;\n    • a rope\.\n\n    Not done: the clapper\n`)
			d.wait(`● busy`)
			d.keys("C-c")
			d.wait(`─ Close continuo ─`)
			d.keys("e")
			d.wait(`^code 0$`)
		})
	}
}
