// Elements, and formats of times and paths. Text of the keeper reaches the page only through node, as text nodes.

const byID = (id) => document.getElementById(id);

// node makes an element. Children are strings and nodes; null and false are skipped. A property that begins with "on" is
// a listener.
function node(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value != null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

// shown makes control characters visible, and those that change the direction of text or have no width. They could make
// a command look harmless.
function shown(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (c) => "<U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + ">");
}

// age is the time since a timestamp in at most four characters.
function age(timestamp, now = Date.now()) {
  const seconds = Math.max(0, (now - Date.parse(timestamp)) / 1000);
  if (Number.isNaN(seconds)) return "";
  for (const [size, unit] of [[31536000, "y"], [2592000, "mo"], [86400, "d"], [3600, "h"], [60, "m"]]) {
    if (seconds >= size) return Math.floor(seconds / size) + unit;
  }
  return Math.floor(seconds) + "s";
}

// clock is the time of day, with the date if that isn't today.
function clock(timestamp) {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return "";
  const time = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (date.toDateString() === new Date().toDateString()) return time;
  return date.toLocaleDateString("en-US", { month: "short", day: "numeric" }) + ", " + time;
}

// day is the heading of a date in the list.
function day(timestamp) {
  const date = new Date(timestamp);
  const midnight = new Date().setHours(0, 0, 0, 0);
  if (date >= midnight) return "Today";
  if (date >= midnight - 86400000) return "Yesterday";
  if (date >= midnight - 6 * 86400000) return "Last 7 days";
  if (Number.isNaN(date.getTime())) return "Unknown date";
  return date.toLocaleDateString("en-US", { month: "long", year: "numeric" });
}

// folder is the last element of a path.
const folder = (path) => (path ?? "").split(/[/\\]/).filter(Boolean).pop() ?? "";

// relative is a path as seen from a directory.
function relative(path, dir) {
  return dir && path.startsWith(dir + "/") ? path.slice(dir.length + 1) : path;
}

const counted = (n, one, many) => n.toLocaleString("en-US") + " " + (n === 1 ? one : many);

// announce makes screen readers read a text.
function announce(text) {
  byID("news").textContent = text.slice(0, 200);
}

// touch reports whether the page is used without a mouse. There, focus on a field opens a keyboard that covers the messages.
const touch = () => matchMedia("(pointer: coarse)").matches;

// later returns a function that calls draw after 16 ms, once for all calls until then. It uses a timer, because hidden tabs
// have no animation frames, but their title must change.
function later(draw) {
  let planned = false;
  return () => {
    if (planned) return;
    planned = true;
    setTimeout(() => {
      planned = false;
      draw();
    }, 16);
  };
}
