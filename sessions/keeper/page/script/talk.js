// The open conversation: its head, its messages, and what follows the last one.

const scroll = {
  follows: true, // the end stays in view when something is added
  top: 0, // the last position
};

// atEnd is the scroll position that shows the end. A question that is higher than the view is shown from its start.
function atEnd() {
  const area = byID("scroll");
  const end = area.scrollHeight - area.clientHeight;
  return byID("ask").firstChild ? Math.min(end, byID("ask").offsetTop - 8) : end;
}

function follow() {
  if (scroll.follows) byID("scroll").scrollTop = atEnd();
}

function watchScroll() {
  const area = byID("scroll");
  area.addEventListener("scroll", () => {
    const atTheEnd = area.scrollTop >= atEnd() - 40;
    if (atTheEnd || area.scrollTop < scroll.top) scroll.follows = atTheEnd; // the content may have grown since, so only a move upwards counts
    scroll.top = area.scrollTop;
    if (scroll.follows) byID("jump").hidden = true;
    if (area.scrollTop < 200) byID("earlier").firstChild?.click();
  }, { passive: true });
  area.addEventListener("click", (e) => {
    if (e.target.closest("summary")) scroll.follows = false; // the opened part stays where it is
  });
  const sizes = new ResizeObserver(follow);
  sizes.observe(area);
  sizes.observe(byID("content"));
  byID("jump").addEventListener("click", () => {
    scroll.follows = true;
    byID("jump").hidden = true;
    follow();
  });
}

// showHistory replaces all messages.
function showHistory(messages) {
  scroll.follows = true;
  byID("jump").hidden = true;
  byID("history").replaceChildren(...messages.map(drawMessage));
  byID("content").setAttribute("aria-busy", "false");
  drawEarlier();
  drawTail();
  follow();
}

// showMore adds messages at the end.
function showMore(messages) {
  if (!messages.length) return;
  byID("history").append(...messages.map(drawMessage));
  if (!scroll.follows) byID("jump").hidden = false;
}

// showEarlier adds messages at the start, and keeps what is in view where it is.
function showEarlier(messages) {
  const area = byID("scroll");
  const below = area.scrollHeight - area.scrollTop;
  byID("history").prepend(...messages.map(drawMessage));
  drawEarlier();
  area.scrollTop = area.scrollHeight - below;
}

function drawEarlier() {
  const view = store.view;
  const read = async ({ currentTarget: button }) => {
    if (button.disabled) return;
    button.disabled = true;
    button.textContent = "Reading…";
    try {
      await readEarlier(view);
    } catch (failure) {
      button.textContent = failure.message + " Try again";
      button.disabled = false;
    }
  };
  byID("earlier").replaceChildren(...(view.more ? [node("button", { type: "button", class: "quiet", onclick: read }, "Earlier messages")] : []));
}

function drawMessage(message) {
  const dir = store.sessions.get(store.view.id)?.workdir;
  const user = message.role === "user";
  const parts = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  const texts = parts.some((p) => p.type === "text");
  return node("article", { class: message.role, "data-id": message.id, "aria-label": user ? "You" : "Claude" },
    texts && message.timestamp && node("time", { datetime: message.timestamp }, clock(message.timestamp)),
    parts.map((p) => {
      if (p.type === "tool_use") return drawTool(p, dir);
      return user ? node("p", {}, p.text) : node("div", { class: "text" }, markdown(p.text));
    }));
}

// drawTail draws what follows the messages: the answer that is being written, what was sent, an error, a question.
const drawTail = later(() => {
  if (!store.view) return;
  const id = store.view.id;
  const session = store.sessions.get(id);
  drawPartial();
  drawSent();
  const error = store.view.error || store.failed.get(id) || (["error", "partial"].includes(session?.state) && (session.error || "Some of this transcript can't be read."));
  byID("failure").replaceChildren(...(error ? [node("p", { role: "alert" }, error)] : []));
  drawAsk(id);
  drawHead();
  drawCompose();
});

function drawPartial() {
  const text = store.partial.get(store.view?.id);
  byID("partial").replaceChildren(...(text ? [node("div", { class: "text" }, markdown(text))] : []));
}

function drawSent() {
  byID("sent").replaceChildren(...(store.sent.get(store.view?.id) ?? []).map((s) =>
    node("article", { class: "user sent", "aria-label": "You" }, node("time", {}, s.queued ? "queued" : "sending"), node("p", {}, s.text))));
}

function drawHead() {
  const session = store.view && store.sessions.get(store.view.id);
  document.title = (waiting().length ? "? " + waiting().length + " · " : "") + (session ? titleOf(session) + " · " : "") + "continuo";
  if (!session) {
    byID("head").replaceChildren();
    head.content = "";
    return;
  }
  const [glyph, word, tone] = stateOf(session);
  const parents = (session.workdir ?? "").slice(0, -folder(session.workdir).length || undefined);
  const facts = factsOf(session);
  const content = [session.id, titleOf(session), parents, facts, word].join("\0");
  if (content === head.content) return;
  head.content = content;
  byID("head").replaceChildren(
    node("a", { class: "back", href: "#", "aria-label": "Back to the list" }, "‹"),
    node("h1", { tabindex: "-1", title: titleOf(session) }, titleOf(session)),
    node("button", { type: "button", class: "quiet", onclick: () => askName(session.id) }, "Rename"),
    node("p", {}, node("span", { class: "path", title: session.workdir }, node("span", {}, parents), facts), word && node("span", { class: "state " + tone }, glyph + " " + word)));
}

const head = { content: "" };
