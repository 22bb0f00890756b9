#!/usr/bin/env bash
# Times the commands that must be quick. README.md in this directory explains the table.
#
#   docs/bench/run.sh CLAUDE_DIR [RUNS]
#
# CLAUDE_DIR is a Claude config dir with projects/. RUNS is 11 by default. $CONTINUO is the binary to time. By default,
# it is built from this tree. Needs bash 5 for its microsecond clock.
set -euo pipefail
export LC_ALL=C # decimal point in $EPOCHREALTIME; no multibyte characters

die() {
  printf '%s\n' "$1" >&2
  exit 2
}
[[ $# -ge 1 && $# -le 2 ]] || die 'usage: docs/bench/run.sh CLAUDE_DIR [RUNS]'
[[ -n ${EPOCHREALTIME:-} ]] || die 'bash 5 is needed'
[[ -d $1/projects ]] || die "$1 has no projects/, so it isn't a Claude config dir"
runs=${2:-11}
[[ $runs =~ ^[1-9][0-9]*$ ]] || die "RUNS must be a number, not $runs"
dir=$(cd "$1" && pwd)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
binary=${CONTINUO:-}
if [[ -z $binary ]]; then
  binary=$scratch/continuo
  (cd "$root" && CGO_ENABLED=0 go build -trimpath -o "$binary" .)
fi
# The commands run with an empty home, so they read only the given config dir.
export HOME=$scratch
unset CLAUDE_CONFIG_DIR

transcripts=$(find "$dir/projects" -mindepth 2 -maxdepth 2 -type f -name '*.jsonl' -exec wc -c {} + |
  awk '$2 != "total" || NF > 2' | sort -n)
[[ -n $transcripts ]] || die "$dir/projects has no transcripts"
read -r biggest_bytes biggest <<<"$(tail -n 1 <<<"$transcripts")"
read -r count bytes <<<"$(awk '{ n++; b += $1 } END { printf "%d %.0f\n", n, b }' <<<"$transcripts")"

# time_of runs a command once to warm the caches, then $runs times. It sets median and min, in microseconds.
time_of() {
  local i from to
  local -a took=()
  "$@" >/dev/null
  for ((i = 0; i < runs; i++)); do
    from=${EPOCHREALTIME/./}
    "$@" >/dev/null
    to=${EPOCHREALTIME/./}
    took+=($((to - from)))
  done
  mapfile -t took < <(printf '%s\n' "${took[@]}" | sort -n)
  min=${took[0]}
  median=${took[$((runs / 2))]}
}

# row times a command and prints its row. Arguments: name, bytes read, time to compare with in microseconds, command.
row() {
  local name=$1 reads=$2 floor=$3
  shift 3
  time_of "$@"
  awk -v name="$name" -v median="$median" -v min="$min" -v reads="$reads" -v floor="$floor" 'BEGIN {
    rate = reads > 0 ? sprintf("%.0f", reads / median) : "-"
    ratio = floor > 0 ? sprintf("%.2f", median / floor) : "-"
    printf "%-28s %10.1f %10.1f %8s %8s\n", name, median / 1000, min / 1000, rate, ratio
  }'
}

read_all() { find "$dir/projects" -mindepth 2 -maxdepth 2 -type f -name '*.jsonl' -exec cat {} +; }

printf '%d transcripts, %.1f MB; the biggest %.1f MB; %d runs each\n\n' "$count" \
  "$(awk -v b="$bytes" 'BEGIN { print b / 1e6 }')" "$(awk -v b="$biggest_bytes" 'BEGIN { print b / 1e6 }')" "$runs"
printf '%-28s %10s %10s %8s %8s\n' command 'median ms' 'min ms' MB/s ratio
row 'cat of all' "$bytes" 0 read_all
all=$median
row 'cat of the biggest' "$biggest_bytes" 0 cat "$biggest"
one=$median
row 'version' 0 0 "$binary" version
row 'list --all --quick --json' 0 "$all" "$binary" --claude-dir "$dir" list --all --quick --json
first() { rm -rf "$HOME/.cache" && "$binary" --claude-dir "$dir" "$@"; }
row 'list --all --json, first' "$bytes" "$all" first list --all --json
row 'search, first' "$bytes" "$all" first search --json error
row 'list --all --json' 0 "$all" "$binary" --claude-dir "$dir" list --all --json
row 'search error' 0 "$all" "$binary" --claude-dir "$dir" search --json error
absent() { "$binary" --claude-dir "$dir" search --json nothing1like2it || true; }
row 'search, absent word' 0 "$all" absent
grepped() { rg -c nothing1like2it "$dir/projects" || true; }
! command -v rg >/dev/null || row 'rg -c of an absent word' 0 "$all" grepped
everywhere() { "$binary" --claude-dir "$dir" search --scope all --json nothing1like2it || true; }
row 'search all, absent word' 0 "$all" everywhere
row 'show --json of the biggest' "$biggest_bytes" "$one" "$binary" --claude-dir "$dir" show --json "$biggest"

# Keys: the time from each key of a query to the first screen, and a bare scan of the same text.
printf '\n'
(cd "$root" && HOME=$scratch GOCACHE=${GOCACHE:-$scratch/go} go run ./docs/bench/keys "$dir" "$scratch/keys")
