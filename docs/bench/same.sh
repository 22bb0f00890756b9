#!/usr/bin/env bash
# Compares what two builds of continuo print and write, byte for byte.
#
#   docs/bench/same.sh OLD NEW
#
# Both builds run the commands of same.txt, and show and path of every session. They run in copies of the same trees:
# every Claude config dir of $CONTINUO_CORPUS (a path list), the demo written by OLD, and projects made from the ledgers
# below $CONTINUO_EXAMPLES. For each differing command, the script prints the command and its first new differing line
# (< OLD, > NEW). If anything differs, all output is kept and the exit code is 1.
set -euo pipefail
export LC_ALL=C TZ=UTC
[[ $# -eq 2 && -x $1 && -x $2 ]] || { echo 'usage: docs/bench/same.sh OLD NEW' >&2 && exit 2; }
commands=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/same.txt
scratch=$(mktemp -d)
trap '((differ)) || rm -rf "$scratch"' EXIT
export scratch run=$scratch/run out=$scratch/out
began=$(date +%s) count=0 differ=0

# in_home runs continuo with the home directory $1 in the directory $2, in an otherwise empty environment.
in_home() {
  local home=$1
  cd "$2" && shift 2 || return
  env -i PATH="$run/bin:$PATH" HOME="$home" TZ=UTC LC_ALL=C.UTF-8 TERM=xterm GIT_CONFIG_NOSYSTEM=1 continuo "$@"
}

# tree prints the mode, link target and time of every file of a home, and a diff of the contents since the start. It
# skips .git, and continuo's undo journal, because the journal contains times.
tree() {
  cd "$1" || return
  find . \( -name .git -o -name journal \) -prune -o -printf '%P %M %l %TY-%Tm-%TdT%TH:%TM:%TS\n' | sort
  diff --no-dereference -x .git -x journal -rN "$scratch/master/${1##*/}" .
}

# one runs a task: number, home, directory, file for stdin, and the arguments or "tree", separated by "|".
one() {
  local number home dir stdin command code=0
  local -a words
  IFS='|' read -r number home dir stdin command <<<"$1"
  read -ra words <<<"$command"
  if [[ $command == tree ]]; then (tree "$home") >"$out/$number" || true; else
    (in_home "$home" "$dir" "${words[@]}") <"${stdin:-/dev/null}" >"$out/$number" 2>"$out/$number.err" || code=$?
    printf '\n--- exit %d, stderr:\n' "$code" | cat - "$out/$number.err" >>"$out/$number"
  fi
}

# writes runs the tasks that write to a home, each in another second, because file names contain the time.
writes() {
  while read -r line; do
    [[ $line == *'|tree' ]] || sleep "$(printf '0.%06d' $((999999 - 10#${EPOCHREALTIME#*.})))"
    one "$line"
  done < <(grep -F "|$1|" "$scratch/write")
}
export -f one in_home tree writes

# task adds a task to a list: read tasks run in any order, write tasks in the order of the list.
task() { printf '%05d|%s\n' $((++count)) "$2" >>"$scratch/$1"; }

# tasks_of adds the tasks for the home $1. Its write tasks run in the project $2; hooks get the transcript $3.
tasks_of() {
  local home=$1 project=$1/code/$2 file dir kind command
  echo "$home" >>"$scratch/homes"
  while read -r file; do
    task read "$home|$home||show --json $file"
    task read "$home|$home||show --width 100 $file"
    task read "$home|$home||path --json $(basename "${file%.*}")"
  done < <(find "$home" -type f -not -path '*/subagents/*' -path '*/.claude/*' \( -name '*.jsonl' -o -name '*.md' \) | sort)
  while read -r kind command; do
    case $kind in
    home) task read "$home|$home||$command" ;;
    project) for dir in "$home"/code/*/; do
      task read "$home|$dir||$command"
      task read "$home|$dir||$command --json"
    done ;;
    write) task write "$home|$project|$home/event|$command" && task write "$home|$home||tree" ;;
    esac
  done <"$commands"
  printf '{"session_id":"%s","transcript_path":"%s","cwd":"%s","reason":"clear","trigger":"manual","source":"clear"}\n' \
    "$(basename "${3%.jsonl}")" "$3" "$project" >"$home/event"
}

# ledgers makes a project from each NOTES.NAME.md of the examples, with all example beads, trajectories and documents.
ledgers() {
  local notes root file
  while read -r notes; do
    root=${notes##*/NOTES.} root=$run/examples/code/${root%.md}
    mkdir -p "$root/grimoires/loa/a2a/trajectory" "$root/.beads" "$root/.claude/memory"
    cp "$notes" "$root/grimoires/loa/NOTES.md"
    while read -r file; do
      case $file in
      */beads-issues.*) cat "$file" >>"$root/.beads/issues.jsonl" ;;
      */trajectory.*) cp "$file" "$root/grimoires/loa/a2a/trajectory/${file##*/trajectory.}" ;;
      */loa.config.*) cp "$file" "$root/.loa.config.yaml" ;;
      */session-2*.md | */active-context.md | */project-memory.md) cp "$file" "$root/.claude/memory/" ;;
      esac
    done < <(find "$CONTINUO_EXAMPLES" -type f | sort)
    printf '{\n  // kept\n  "model": "opus"\n}\n' >"$root/.claude/settings.json"
    (cd "$root" && git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm all) </dev/null
  done < <(find "$CONTINUO_EXAMPLES" -name 'NOTES.*.md')
}

# volatile prints sed commands for text that differs from run to run, such as times, checksums, ages and versions.
volatile() {
  local at
  for ((at = began - began % 60; at <= $(date +%s); at += 60)); do
    date -d "@$at" +'s/%Y-%m-%d[T -]%H:?%M(:[0-9.]+Z?)?|%Y%m%d[_T-]?%H%M([0-9]{2}Z)?|today %H:%M/<now>/g'
  done
  printf 's/%s/<some>/g\n' '"(ms|pid)":[0-9]+' '[0-9]+ [GM]B free' 'in (under )?[0-9]+ ms' '([0-9]+ (d|h|min|s) ?)+ old' 'sha256("?: "|=)[0-9a-f]+' \
    "$("$1" version | cut -d ' ' -f 2)" "$("$2" version | cut -d ' ' -f 2)"
}

mkdir -p "$run/bin" "$run/demo"
install "$1" "$run/bin/continuo"
(in_home "$run/demo" / demo --dir "$run/demo") >/dev/null 2>&1
tasks_of "$run/demo" teahouse "$(find "$run/demo/.claude/projects" -path '*teahouse/*.jsonl' | sort | sed -n 1p)"
IFS=: read -ra corpora <<<"${CONTINUO_CORPUS:-}"
for i in "${!corpora[@]}"; do
  mkdir -p "$run/corpus$i/code/fresh" && cp -a "${corpora[i]}" "$run/corpus$i/.claude"
  chmod -R u+w "$run/corpus$i"
  tasks_of "$run/corpus$i" fresh "$(find "$run/corpus$i/.claude/projects" -name '*.jsonl' | sort | sed -n 1p)"
done
if [[ -n ${CONTINUO_EXAMPLES:-} ]]; then
  ledgers
  tasks_of "$run/examples" "$(find "$run/examples/code" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | sed -n 1p)" /none.jsonl
fi
mv "$run" "$scratch/master"

for side in 1 2; do
  cp -a "$scratch/master" "$run" && mkdir "$out"
  install "${!side}" "$run/bin/continuo"
  xargs -P 2 -d '\n' -n 1 bash -c "one \"\$1\"" one <"$scratch/read"
  xargs -P 4 -d '\n' -n 1 bash -c "writes \"\$1\"" writes <"$scratch/homes"
  mv "$out" "$scratch/$side" && rm -rf "$run"
done

volatile "$1" "$2" >"$scratch/volatile"
: >"$scratch/seen"
while IFS='|' read -r number _ dir _ command; do
  cmp -s "$scratch"/[12]/"$number" && continue
  lines=$(diff -a <(sed -Ef "$scratch/volatile" "$scratch/1/$number") <(sed -Ef "$scratch/volatile" "$scratch/2/$number") | grep -a '^[<>]') || true
  [[ -n $lines ]] || continue
  differ=$((differ + 1))
  new=$(grep -avxFf "$scratch/seen" <<<"$lines" | sed -n 1p) || continue
  printf '%s %s: %s: %.300s\n' "$number" "${dir#"$run/"}" "$command" "$new"
  echo "$lines" >>"$scratch/seen"
done < <(cat "$scratch/read" "$scratch/write")
((differ == 0)) || echo "all output is in $scratch/1 (OLD) and $scratch/2 (NEW)"
echo "$count commands compared, $differ differ"
((differ == 0))
