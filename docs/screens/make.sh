#!/usr/bin/env bash
# Makes the pictures in this directory. It runs the demo in a private tmux, presses keys, and writes each screen as an
# SVG.
#
#   docs/screens/make.sh [NAME...]      the usual pictures, or the named ones: list, light, reader_folded, help, …
#
# $CONTINUO is the binary to show. By default, it is built from this tree. Needs bash, Go and tmux. Ages in the demo count
# from now, so two runs differ only in times of day.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
command -v tmux >/dev/null || { echo 'tmux is not installed' >&2; exit 2; }

scratch=$(mktemp -d)
server= # a new server for every picture, because an ending server takes no new session
conf=/dev/null
stop() { [[ -z $server ]] || t kill-server 2>/dev/null || true; }
leave() {
  stop
  rm -rf "$scratch"
}
trap leave EXIT

(cd "$root" && go build -o "$scratch/svg" ./docs/screens/svg)
continuo=${CONTINUO:-$scratch/continuo}
[[ -n ${CONTINUO:-} ]] || (cd "$root" && CGO_ENABLED=0 go build -trimpath -o "$continuo" .)
inside=$scratch/home/code/teahouse # an empty project
mkdir -p "$scratch/tmp" "$inside"

failed=0
warn() {
  printf '%s: %s\n' "$name" "$1" >&2
  failed=1
}

t() { TMUX='' LC_ALL=C.UTF-8 tmux -u -L "$server" "$@"; }
look() { t capture-pane -p -t 0 2>/dev/null || true; }

# start SIZE COMMAND... runs a program in a terminal of COLUMNSxROWS, with a home of its own and full colours.
start() {
  cols=${1%x*}
  t -f "$conf" new-session -d -x "$cols" -y "${1#*x}" -c "$inside" \
    env -i HOME="$scratch/home" TMPDIR="$scratch/tmp" PATH="$PATH" TERM=xterm-256color COLORTERM=truecolor \
    LC_ALL=C.UTF-8 TZ=UTC ${extra:-} "${@:2}"
  t set -g status off
}

# until_shown PATTERN waits for a text; 10 s are far more than any screen takes.
until_shown() {
  for _ in {1..200}; do
    look | grep -qE -- "$1" && return
    sleep 0.05
  done
  warn "the screen never has $1"
  look >&2
  return 1
}

# still waits until the screen does not change for a quarter of a second.
still() {
  local was now
  was=$(look)
  for _ in {1..40}; do
    sleep 0.25
    now=$(look)
    [[ $now == "$was" ]] && return
    was=$now
  done
}

press() {
  local key
  for key; do
    t send-keys -t 0 "$key"
    sleep 0.1
  done
}
type_text() { t send-keys -t 0 -l "$1"; }

# shot TITLE [svg flags] writes the screen to $name.svg.
shot() {
  still
  t capture-pane -e -N -p -t 0 >"$scratch/screen.ansi"
  "$scratch/svg" -cols "$cols" -title "$1" "${@:2}" <"$scratch/screen.ansi" >"$scratch/$name.svg"
  mv "$scratch/$name.svg" "$here/$name.svg"
  echo "$here/$name.svg: $(wc -c <"$here/$name.svg") bytes"
}

first='Fix refresh' # the title is cut in 80 columns
demo() { start "$1" "$continuo" demo && until_shown "$first"; }

list() { demo 120x36 && shot 'The list: sessions of all projects, and what was said in the chosen one'; }
list_narrow() { demo 80x24 && shot 'The list in 80 columns'; }
filter() { demo 120x36 && press / && type_text tide && until_shown 'match(es)? in' && shot 'What a search finds'; }
opened() { demo "$1" && press Enter && until_shown '❯ Yes. Start with'; }
reader() { opened 120x36 && press g Z && still && press '}' && shot 'A conversation with its folds open'; }
reader_folded() { opened 120x36 && shot 'A conversation as it opens, at its end'; }
reader_narrow() { opened 80x24 && shot 'A conversation in 80 columns'; }
find() { opened 120x36 && press / && type_text clock && press Enter && shot 'A search in a conversation'; }
backups() { demo 120x36 && press Tab && until_shown 'Pending' && shot 'Backups of the projects'; }
documents() { demo 120x36 && press Tab Tab && until_shown 'in.progress' && shot 'Documents of the projects'; }
project() { demo 120x36 && press P && until_shown 'Hooks' && shot 'The page of a project'; }
help() { demo 120x36 && press '?' && until_shown 'resume' && shot 'The help'; }
empty() { start 120x36 "$continuo" && until_shown 'No sessions yet' && shot 'The first run'; }
ascii() { extra=CONTINUO_GLYPHS=ascii demo 120x36 && shot 'The list with glyphs of ASCII'; }

# plan resumes a session that another continuo has open in another window.
plan() {
  local dir=$scratch/home/demo
  start 120x36 "$continuo" demo --dir "$dir" && until_shown "$first" &&
    t new-window -c "$inside" env -i HOME="$scratch/home" TMPDIR="$scratch/tmp" PATH="$PATH" \
      TERM=xterm-256color COLORTERM=truecolor LC_ALL=C.UTF-8 TZ=UTC "$continuo" --claude-dir "$dir/.claude" &&
    until_shown "$first" && press r && until_shown 'live elsewhere' && shot 'What is said before a live session is resumed'
}

# light sets the colours of the tmux window, so that the program finds a light terminal.
light() {
  conf=$scratch/light.conf
  echo 'set -g window-style "bg=#fbfaf7,fg=#2b2f36"' >"$conf"
  demo 120x36 && shot 'The list on a light page' -page '#fbfaf7' -ink '#2b2f36'
}

for name in ${@:-list light list_narrow filter reader find plan backups documents project}; do
  [[ $(type -t "$name") == function ]] || { echo "there is no picture $name" >&2; exit 2; }
  server=continuo-screens-$$-$name conf=/dev/null
  "$name" || warn 'no picture'
  stop
done
exit "$failed"
