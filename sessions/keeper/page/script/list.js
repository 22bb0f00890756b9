// The list of sessions: those that wait for an answer, then by date, the newest first.

const list = {
  rows: new Map(), // by session: {anchor, content}
  order: "", // headings and IDs that are shown
  all: false, // show more than listMost rows
};

const listMost = 200;

const titleOf = (session) => session?.name || session?.firstPrompt || (session ? "No prompt yet" : "Session");

// states are the glyph, the words and the class of a state; see docs/keeper.md.
const states = {
  waiting: ["?", "waits for you", "you"],
  busy: ["●", "busy", "good"],
  idle: ["●", "idle", "good"],
  live: ["●", "open elsewhere", "good"],
  pending: ["…", "starting", ""],
  partial: ["△", "damaged", "warn"],
  error: ["✗", "unreadable", "bad"],
  empty: ["○", "empty", ""],
  ok: ["·", "", ""],
};

// factsOf are the folder and the branch.
const factsOf = ({ workdir, gitBranch }) => [folder(workdir), gitBranch && "on " + gitBranch].filter(Boolean).join(" ");

const stateOf = (session) => states[session.state] ?? states.ok;

// newest orders sessions by their last change.
const newest = (a, b) => (Date.parse(b.modified) || 0) - (Date.parse(a.modified) || 0);

// matching returns the sessions that match the filter, in order.
function matching() {
  const words = byID("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const waits = (s) => (s.state === "waiting" ? 1 : 0);
  return [...store.sessions.values()]
    .filter((s) => {
      const text = [s.name, s.firstPrompt, s.workdir, s.gitBranch, stateOf(s)[1]].join(" ").toLowerCase();
      return words.every((w) => text.includes(w));
    })
    .sort((a, b) => waits(b) - waits(a) || newest(a, b) || a.id.localeCompare(b.id));
}

const drawList = later(() => {
  const found = matching();
  const groups = [];
  for (const s of list.all ? found : found.slice(0, listMost)) {
    drawRow(s);
    const title = s.state === "waiting" ? "Waits for you" : day(s.modified);
    if (groups.at(-1)?.title !== title) groups.push({ title, sessions: [] });
    groups.at(-1).sessions.push(s);
  }
  arrange(groups, found.length);
  drawCount();
  drawHead();
});

const waiting = () => [...store.sessions.values()].filter((s) => s.state === "waiting");

// drawCount draws the number of waiting sessions, as a link to one of them.
function drawCount() {
  const all = waiting();
  const count = byID("count");
  count.hidden = !all.length;
  count.textContent = "? " + counted(all.length, "waits", "wait");
  count.title = counted(all.length, "session waits", "sessions wait") + " for you";
  if (all.length) count.href = "#session=" + encodeURIComponent(all[0].id);
}

// arrange puts the rows in order. It leaves the list alone if the order is the same, so that a click isn't lost.
function arrange(groups, total) {
  const order = JSON.stringify([groups.map((g) => [g.title, g.sessions.map((s) => s.id)]), total, store.read, store.sessions.size > 0]);
  if (order === list.order) return;
  list.order = order;
  const focused = document.activeElement;
  const hidden = total - groups.reduce((n, g) => n + g.sessions.length, 0);
  byID("rows").replaceChildren(...groups.flatMap((g) => [
    node("h2", {}, g.title),
    node("ul", {}, g.sessions.map((s) => node("li", {}, list.rows.get(s.id).anchor))),
  ]));
  if (hidden > 0) byID("rows").append(node("button", { type: "button", class: "quiet", onclick: () => { list.all = true; drawList(); } }, "Show " + counted(hidden, "more session", "more sessions")));
  if (!total && store.read) byID("rows").append(node("p", { class: "none" }, store.sessions.size ? "No session matches the filter." : "No sessions yet."));
  if (focused?.isConnected && focused !== document.activeElement) focused.focus();
}

function drawRow(session) {
  const [glyph, word, tone] = stateOf(session);
  const open = store.view?.id === session.id;
  const facts = factsOf(session);
  const content = [titleOf(session), glyph, word, facts, age(session.modified), open, session.messageCount].join("\0");
  let row = list.rows.get(session.id);
  if (!row) {
    row = { anchor: node("a", { href: "#session=" + encodeURIComponent(session.id) }), content: "" };
    list.rows.set(session.id, row);
  }
  if (row.content === content) return;
  row.content = content;
  row.anchor.classList.toggle("open", open);
  if (open) row.anchor.setAttribute("aria-current", "page");
  else row.anchor.removeAttribute("aria-current");
  row.anchor.replaceChildren(
    node("span", { class: "glyph " + tone, "aria-hidden": "true" }, glyph),
    node("span", { class: "row" }, node("span", { class: "title" }, titleOf(session)), node("span", { class: "age" }, age(session.modified))),
    node("span", { class: "row facts" }, node("span", {}, facts + " · " + counted(session.messageCount ?? 0, "message", "messages")), node("span", { class: "state " + tone }, word)));
}

// moveFocus moves the focus by rows.
function moveFocus(by) {
  const rows = [...byID("rows").querySelectorAll("a")];
  const at = rows.indexOf(document.activeElement);
  const from = at < 0 ? rows.findIndex((r) => r.classList.contains("open")) : at;
  const to = from < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, from + by));
  rows[to]?.focus();
  rows[to]?.scrollIntoView({ block: "nearest" });
}
