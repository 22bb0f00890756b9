// Differences between two texts, line by line.

// diffMost is how many pairs of lines are compared at most. Beyond that, all lines count as changed.
const diffMost = 1e6;

// diff returns the lines of both texts as [sign, line]. The sign is " ", "-" or "+".
function diff(before, after) {
  const old = before === "" ? [] : before.split("\n");
  const new_ = after === "" ? [] : after.split("\n");
  let start = 0;
  while (start < old.length && start < new_.length && old[start] === new_[start]) start++;
  let end = 0;
  while (end < old.length - start && end < new_.length - start && old.at(-1 - end) === new_.at(-1 - end)) end++;
  const kept = (line) => [" ", line];
  return [
    ...old.slice(0, start).map(kept),
    ...changed(old.slice(start, old.length - end), new_.slice(start, new_.length - end)),
    ...old.slice(old.length - end).map(kept),
  ];
}

// changed finds the longest common subsequence of two lists of lines.
function changed(old, new_) {
  const width = new_.length + 1;
  const common = new Uint32Array(old.length * new_.length > diffMost ? 0 : (old.length + 1) * width);
  if (common.length) {
    for (let i = old.length - 1; i >= 0; i--) {
      for (let j = new_.length - 1; j >= 0; j--) {
        common[i * width + j] = old[i] === new_[j]
          ? common[(i + 1) * width + j + 1] + 1
          : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
      }
    }
  }
  const out = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < new_.length) {
    if (common.length && i < old.length && j < new_.length && old[i] === new_[j]) {
      out.push([" ", old[i]]);
      i++;
      j++;
    } else if (i < old.length && (j === new_.length || !common.length || common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      out.push(["-", old[i++]]);
    } else {
      out.push(["+", new_[j++]]);
    }
  }
  return out;
}

// drawDiff draws differences. Each line has a sign, so colour isn't needed.
function drawDiff(lines) {
  const names = { "+": "add", "-": "del", " ": "same" };
  return node("div", { class: "diff", tabindex: "0", role: "group", "aria-label": "Changes" }, node("div", {},
    lines.map(([sign, line]) => node("div", { class: names[sign] }, node("span", {}, sign === "-" ? "−" : sign), shown(line) || "\n"))));
}
