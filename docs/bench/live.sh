#!/usr/bin/env bash
# Measures the browser while it drives sessions of a program that plays claude (live/main.go).
#
#   docs/bench/live.sh [SECONDS]
#
# It prints the browser's share of one core with 20 idle driven sessions, over SECONDS (30 by default): on the Live tab,
# and on the screen of a session. Then it prints the delay from a line of the client to the terminal. Needs tmux and
# Linux. $CONTINUO is the binary to measure. By default, it is built from this tree.
set -euo pipefail
export LC_ALL=C.UTF-8
seconds=${1:-30} sessions=20
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
tm() { tmux -L "bench$$" "$@"; }
trap 'tm kill-server 2>/dev/null || true; sleep 1; rm -rf "$scratch"' EXIT
binary=${CONTINUO:-$scratch/continuo}
[[ -n ${CONTINUO:-} ]] || (cd "$root" && CGO_ENABLED=0 go build -trimpath -o "$binary" .)
(cd "$root" && go build -o "$scratch/live" ./docs/bench/live)
mkdir -p "$scratch/bin" "$scratch/home/.claude/projects/-code" "$scratch/home/code"
mkdir "$scratch/home/.claude/sessions"
cat >"$scratch/bin/claude" <<END
#!/bin/sh
[ "\$1" = --version ] && echo '2.1.330 (Claude Code)' && exit
while [ \$# -gt 0 ]; do
  case \$1 in --resume | --session-id) id=\$2 ;; esac
  shift
done
now=\$(date +%s%3N)
printf '{"pid":%d,"sessionId":"%s","cwd":"%s","startedAt":%s,"updatedAt":%s,"status":"idle","entrypoint":"continuo"}' \
  \$\$ "\$id" "\$PWD" "\$now" "\$now" >"\$HOME/.claude/sessions/\$\$.json"
exec "$scratch/live" client "\$id" 2>>"\$BENCH_MARKS"
END
chmod +x "$scratch/bin/claude"
for ((i = 10; i < 10 + sessions; i++)); do
  id=000000$i-0000-4000-8000-000000000000
  at=$(date -u -d "-$i min" +%Y-%m-%dT%H:%M:%S.000Z)
  printf '{"type":"%s","uuid":"%s-%d","parentUuid":%s,"timestamp":"%s","cwd":"%s","sessionId":"%s","version":"2.1.330","message":{"role":"%s","content":"%s"}}\n' \
    user a $i null "$at" "$scratch/home/code" "$id" user "Prompt $i" \
    assistant b $i "\"a-$i\"" "$at" "$scratch/home/code" "$id" assistant "Answer $i" >"$scratch/home/.claude/projects/-code/$id.jsonl"
done

# wait_for waits until the terminal shows a pattern.
wait_for() {
  local i
  for ((i = 0; i < 300; i++)); do
    tm capture-pane -p | grep -q -- "$1" && return
    sleep 0.1
  done
  tm capture-pane -p >&2
  echo "the terminal never shows: $1" >&2
  exit 1
}
keys() { tm send-keys "$@"; }

# share prints the processor time of the browser in per cent of one core.
share() {
  local hz from to
  hz=$(getconf CLK_TCK)
  sleep 3
  from=$(awk '{ print $14 + $15 }' "/proc/$pid/stat")
  sleep "$seconds"
  to=$(awk '{ print $14 + $15 }' "/proc/$pid/stat")
  awk -v name="$1" -v ticks=$((to - from)) -v hz="$hz" -v s="$seconds" 'BEGIN { printf "%s: %.2f %% of a core\n", name, ticks * 100 / hz / s }'
}

tm -f /dev/null new-session -d -x 120 -y 36 -c "$scratch/home" env -i HOME="$scratch/home" PATH="$scratch/bin:/usr/bin:/bin" TERM=xterm-256color \
  LC_ALL=C.UTF-8 BENCH_MARKS="$scratch/marks" "$binary"
pid=$(tm display-message -p '#{pane_pid}')
wait_for '^ enter read'
for ((i = 0; i < sessions; i++)); do
  keys w
  wait_for 'In continuo'
  keys c
  wait_for '● idle'
  keys Escape
  wait_for '^ > write'
  keys q
  wait_for '^ enter read'
  keys Down
  sleep 0.2
done
wait_for "Live $sessions"
keys BTab
wait_for "$sessions driven by continuo"
share "$sessions idle sessions, Live tab"
keys Enter
wait_for '^ enter send'
share "$sessions idle sessions, screen of a session"
mkfifo "$scratch/pipe"
tm pipe-pane -o "exec cat >$scratch/pipe"
BENCH_MARKS=$scratch/marks "$scratch/live" watch <"$scratch/pipe" &
keys -l go
keys Enter
wait $!
