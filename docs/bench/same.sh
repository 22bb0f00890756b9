#!/usr/bin/env bash
# Compares what two binaries print and write, byte for byte.
#
#   docs/bench/same.sh OLD NEW
#
# Both run over every Claude config dir of $CONTINUO_CORPUS (a path list), over the demo, and over a project for each
# NOTES*.md of $CONTINUO_EXAMPLES/002: the --json of the commands that read, with their exit codes, the output of the
# hooks, and the files of init and uninstall. Each binary gets the same files at the same paths. Prints a line for each
# difference and the directory that keeps both outputs; exit 1 when there is one.
set -euo pipefail
export LC_ALL=C

die() {
  printf '%s\n' "$1" >&2
  exit 2
}
[[ $# -eq 2 ]] || die 'usage: docs/bench/same.sh OLD NEW'
[[ -x $1 && -x $2 ]] || die 'OLD and NEW are binaries'
old=$(realpath "$1") new=$(realpath "$2")
IFS=: read -ra corpora <<<"${CONTINUO_CORPUS:-}"
examples=${CONTINUO_EXAMPLES:-}
unset CLAUDE_CONFIG_DIR CLAUDE_PROJECT_DIR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME TMUX NO_COLOR

scratch=$(mktemp -d)
world=$scratch/world seed=$scratch/seed
trap 'rm -rf "$world" "$seed"' EXIT

# The seed: what both binaries start from.
mkdir -p "$world"
"$old" demo --dir "$world/demo" >/dev/null 2>&1
if [[ -n $examples ]]; then
  for notes in "$examples"/002/NOTES*.md; do
    at=$world/examples/$(basename "$notes" .md)
    mkdir -p "$at/grimoires/loa/a2a/trajectory" "$at/.beads" "$at/.claude/memory/raw"
    cp "$notes" "$at/grimoires/loa/NOTES.md"
    cp "$examples"/002/trajectory.flatline-2026-02-06.jsonl "$at/grimoires/loa/a2a/trajectory/flatline-2026-02-06.jsonl"
    cp "$examples"/002/beads-issues.loa-finn.jsonl "$at/.beads/issues.jsonl"
  done
fi
mv "$world" "$seed"

# next names the next file of $out.
next() {
  n=$((n + 1))
  printf -v file '%s/%05d' "$out" "$n"
}

# run writes what a command prints and its exit code to the next file of $out, under a heading that names it. The clock
# is in ages, in "at" of a look and in the names of new backups, and the pid in the word that the demo is live.
run() {
  local code=0
  next
  { printf '$'; printf ' %s' "$@"; echo; } >"$file"
  "$binary" "$@" >>"$file" 2>"$file.err" </dev/null || code=$?
  sed 's/^/stderr: /' "$file.err" >>"$file"
  rm "$file.err"
  echo "exit $code" >>"$file"
  sed -i -E 's/"(at|looked|age|now|checked)":("[^"]*"|[0-9.]+)/"\1":CLOCK/g; s/[0-9]{8}_[0-9]{6}Z/STAMP/g; s/"took":[0-9.]+/"took":CLOCK/g; s/[0-9.]+ (ms|GB|MB free|h|min|s)\b/N \1/g; s/"free":[0-9]+/"free":N/g' "$file"
}

# sessions prints the ids and paths of a config dir.
sessions() { "$old" --claude-dir "$1" list --all --kind session 2>/dev/null | cut -f1; }

# reads runs what reads a config dir.
reads() {
  local dir=$1 id path
  run --claude-dir "$dir" list --all --json
  run --claude-dir "$dir" list --all --kind session,backup,document --json
  run --claude-dir "$dir" list --all
  run --claude-dir "$dir" status --json
  run --claude-dir "$dir" status --line
  run --claude-dir "$dir" doctor --json
  run --claude-dir "$dir" backup list --json
  while read -r id; do run --claude-dir "$dir" path "$id"; done < <(sessions "$dir")
  while IFS= read -r -d '' path; do
    run --claude-dir "$dir" show "$path" --json
    run --claude-dir "$dir" show "$path"
  done < <(find "$dir" -name '*.jsonl' ! -name history.jsonl -print0 | sort -z)
}

# asks runs what reads a project.
asks() {
  local level
  cd "$1"
  for what in status project ledger beads trajectory 'backup list' 'gate --dry-run' start delta fork-check 'notes lint' 'context status' 'heal --dry-run'; do
    # shellcheck disable=SC2086 # words
    run $what --json
    # shellcheck disable=SC2086
    run $what
  done
  for level in 1 2 3; do
    run recover "$level" --json
    run recover "$level"
  done
  run recover 2 --query token --json
  cd "$scratch"
}

# tree writes the names, modes and contents of all files of a directory.
tree() {
  next
  (cd "$1" && find . \( -type f -o -type l \) ! -path './.git/*' -printf '%m %p\n' | sort -k 2 && find . -type f ! -path './.git/*' -print0 | sort -z |
    xargs -0 sha256sum) >"$file"
}

# writes runs the hooks and init in a project, and writes down every file that is there afterwards.
writes() {
  local project=$1 session
  cd "$project"
  run init --yes
  tree "$project"
  session=$(find "$world/demo/.claude/projects" -name '*.jsonl' | sort | head -n 1)
  for event in session-start pre-compact session-end discard-backup gate; do
    payload=$(printf '{"session_id":"%s","transcript_path":"%s","cwd":"%s","hook_event_name":"x","reason":"exit","trigger":"manual","source":"startup"}' \
      "$(basename "$session" .jsonl)" "$session" "$project")
    next
    { echo "hook $event"; "$binary" hook "$event" <<<"$payload" 2>&1 || echo "exit $?"; } |
      sed -E 's/[0-9]{8}_[0-9]{6}Z/STAMP/g' >"$file"
  done
  run uninstall --yes
  rm -rf "$project/.claude/memory"
  tree "$project"
  cd "$scratch"
}

# all runs everything with one binary, into one directory.
all() {
  binary=$1 out=$2 n=0
  mkdir -p "$out"
  rm -rf "$world"
  cp -a "$seed" "$world"
  export HOME=$world/home
  mkdir -p "$HOME"
  cd "$scratch"
  for dir in "${corpora[@]}" "$world/demo/.claude"; do reads "$dir"; done
  for project in "$world"/demo/code/* "$world"/examples/*; do
    if [[ -d $project ]]; then asks "$project"; fi
  done
  export CLAUDE_CONFIG_DIR=$world/demo/.claude
  for project in "$world"/demo/code/*; do writes "$project"; done
  unset CLAUDE_CONFIG_DIR
}
all "$old" "$scratch/old"
all "$new" "$scratch/new"

differ=0
for file in "$scratch"/old/*; do
  if ! cmp -s "$file" "$scratch/new/${file##*/}"; then
    differ=$((differ + 1))
    head -n 1 "$file"
    diff "$file" "$scratch/new/${file##*/}" | head -n 4 | cut -c 1-300 || true
  fi
done
count=$(find "$scratch/old" -type f | wc -l)
[[ $count -eq $(find "$scratch/new" -type f | wc -l) ]] || die "the two made different numbers of files: $scratch"
echo "$count compared, $differ differ: $scratch"
[[ $differ -eq 0 ]]
