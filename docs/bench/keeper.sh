#!/usr/bin/env bash
# Measures the keeper while it runs idle sessions of a program that plays claude (live/main.go).
#
#   docs/bench/keeper.sh [SECONDS]
#
# It prints the memory per idle session and the share of one core, with 20 sessions, over SECONDS (30 by default). Then
# it prints the delay from the keeper to a WebSocket on this machine. Needs curl and Linux. $CONTINUO is the binary to
# measure. By default, it is built from this tree.
set -euo pipefail
seconds=${1:-30} sessions=20
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
keeper=
trap '[[ -z $keeper ]] || { kill "$keeper"; wait "$keeper" || true; } 2>/dev/null; rm -rf "$scratch"' EXIT
binary=${CONTINUO:-$scratch/continuo}
cd "$root"
[[ -n ${CONTINUO:-} ]] || CGO_ENABLED=0 go build -trimpath -o "$binary" .
go build -o "$scratch/live" ./docs/bench/live
mkdir -p "$scratch/bin" "$scratch/home/.claude/projects" "$scratch/home/code"
cat >"$scratch/bin/claude" <<END
#!/bin/sh
[ "\$1" = --version ] && echo '2.1.330 (Claude Code)' && exit
while [ \$# -gt 0 ]; do
  case \$1 in --resume | --session-id) id=\$2 ;; esac
  shift
done
exec "$scratch/live" client "\$id" 2>/dev/null
END
chmod +x "$scratch/bin/claude"
env -i HOME="$scratch/home" PATH="$scratch/bin:/usr/bin:/bin" "$binary" keeper start >"$scratch/out" 2>"$scratch/err" &
keeper=$!
state=$scratch/home/.local/state/continuo/keeper
until [[ -s $state/pid ]] && grep -q '^url' "$scratch/out"; do sleep 0.1; done
url=$(awk '$1 == "url" { print $2 }' "$scratch/out")

ask() { curl -fsS -H "Authorization: Bearer $(cat "$state/token")" "$@"; }
memory() { awk '/^RssAnon/ { print $2 }' "/proc/$keeper/status"; }
ticks() { awk '{ print $14 + $15 }' "/proc/$keeper/stat"; }

ask "$url/sessions" >/dev/null
sleep 5
before=$(memory)
for ((i = 0; i < sessions; i++)); do
  ask "$url/sessions" -d "{\"workdir\":\"$scratch/home/code\"}" >/dev/null
done
sleep 10
echo "memory: $((($(memory) - before) / sessions)) kB per idle session, $((before / 1024)) MB without sessions"
from=$(ticks)
sleep "$seconds"
awk -v ticks=$(($(ticks) - from)) -v hz="$(getconf CLK_TCK)" -v s="$seconds" -v n=$sessions \
  'BEGIN { printf "idle with %d sessions: %.2f %% of a core\n", n, ticks * 100 / hz / s }'
go test -run '^$' -bench Latency -benchtime 2000x ./sessions/keeper/server |
  awk '/^BenchmarkLatency/ { for (i = 4; i <= NF; i++) if ($i ~ /^ms-p/) print "delay to a WebSocket, " substr($i, 4) ": " $(i - 1) " ms" }'
