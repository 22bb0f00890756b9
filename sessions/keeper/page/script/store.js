// What the page knows, and how events change that. Messages are told apart by their UUID. A message that was just sent
// has no UUID yet: the first message of the session with the same text replaces it, the oldest sent message first.

const store = {
  sessions: new Map(), // by ID
  attention: new Map(), // questions that wait for an answer, by ID, oldest first
  sent: new Map(), // by session: messages that the keeper hasn't repeated yet
  partial: new Map(), // by session: text of the unfinished answer
  failed: new Map(), // by session: why its last turn or its client has failed
  read: false, // whether the lists were read
  view: null, // the open conversation, see openView
};

// readLists reads the sessions and the questions.
async function readLists() {
  const [sessions, attention] = await Promise.all([api.sessions(), api.attention()]);
  store.sessions = new Map(sessions.map((s) => [s.id, s]));
  store.attention = new Map(attention.map((a) => [a.id, a]));
  store.read = true;
  drawList();
  if (store.view) drawTail();
}

// readAll reads everything that the page shows.
async function readAll() {
  await readLists();
  store.partial.clear();
  if (store.view) openView(store.view.id);
}

// openView reads the newest messages of a session and shows them.
async function openView(id) {
  const view = { id, known: new Set(), oldest: null, more: false, held: [], error: "" };
  store.view = view;
  try {
    const { messages, more, ...session } = await api.session(id);
    if (store.view !== view) return;
    store.sessions.set(id, session);
    view.more = more;
    view.oldest = messages[0]?.id;
    const position = new Map(messages.map((m, i) => [m.id, i]));
    messages.forEach((m, i) => settle(id, m, (sent) => (position.get(sent.last) ?? -1) < i));
    showHistory(fresh(view, messages));
  } catch (failure) {
    if (store.view !== view) return;
    const starts = failure.status === 404 && store.sessions.get(id)?.state === "pending";
    view.error = starts ? "" : failure.message;
    showHistory([]);
  }
  const held = view.held;
  view.held = null;
  showMore(fresh(view, held));
  drawList();
}

// readEarlier reads the messages before the oldest one that is shown.
async function readEarlier(view) {
  const { messages, more } = await api.session(view.id, "?before=" + encodeURIComponent(view.oldest));
  if (store.view !== view) return;
  view.more = more && messages.length > 0;
  view.oldest = messages[0]?.id ?? view.oldest;
  showEarlier(fresh(view, messages));
}

// fresh returns those messages that aren't shown yet, and counts them as shown.
function fresh(view, messages) {
  return messages.filter((m) => !view.known.has(m.id) && view.known.add(m.id));
}

// settle removes the oldest sent message that a message replaces. The other sent messages store the message as last. When
// the history is read again, only messages after last replace them.
function settle(id, message, newer = () => true) {
  const sent = (store.sent.get(id) ?? []).filter(newer);
  const replaced = message.role === "user" && sent.find((s) => s.text === textOf(message).trim());
  for (const s of sent) s.last = message.id;
  if (replaced) unsend(id, replaced);
}

function unsend(id, entry) {
  store.sent.set(id, store.sent.get(id).filter((s) => s !== entry));
  drawSent(); // at once, so that the message is never shown twice
}

const textOf = ({ content }) =>
  typeof content === "string" ? content : content.filter((c) => c.type === "text").map((c) => c.text).join("\n\n");

// questions returns the open questions of a session, the oldest one first.
const questions = (id) => [...store.attention.values()].filter((a) => a.sessionId === id);

// handle applies an event.
function handle(event) {
  const id = event.sessionId ?? event.session?.id ?? event.attention?.sessionId;
  const shownNow = store.view?.id === id;
  switch (event.type) {
    case "session:created":
    case "session:updated":
      store.sessions.set(id, event.session);
      if (event.session.state !== "busy") store.partial.delete(id);
      break;
    case "session:message":
      received(event, shownNow);
      break;
    case "session:partial":
      store.partial.set(id, (store.partial.get(id) ?? "") + event.text);
      break;
    case "session:ended":
      store.partial.delete(id);
      if (event.reason === "failed") store.failed.set(id, event.error ?? "The client has failed.");
      readSession(id);
      break;
    case "attention:requested":
      if (event.attention.type === "error") store.failed.set(id, event.attention.message);
      else if (event.attention.type !== "completion") asked(event.attention);
      break;
    case "attention:resolved":
      store.attention.delete(event.attentionId);
      break;
  }
  drawList();
  if (shownNow || event.type === "attention:resolved") drawTail();
}

// received applies a message of the stream.
function received({ sessionId: id, message }, shownNow) {
  const session = store.sessions.get(id);
  if (session) store.sessions.set(id, { ...session, modified: message.timestamp });
  if (message.role === "assistant") store.partial.delete(id);
  store.failed.delete(id);
  settle(id, message);
  if (!shownNow) return;
  drawPartial();
  if (store.view.held) {
    store.view.held.push(message);
  } else {
    showMore(fresh(store.view, [message]));
    if (message.role === "assistant") announce("Claude: " + textOf(message));
  }
}

function asked(attention) {
  store.attention.set(attention.id, attention);
  announce(titleOf(store.sessions.get(attention.sessionId)) + ": " + question(attention));
}

// readSession reads the state of a session whose client has ended.
async function readSession(id) {
  try {
    const { messages, more, ...session } = await api.session(id, "?limit=1");
    store.sessions.set(id, session);
  } catch (failure) {
    if (failure.status !== 404) return; // the list is read again after the next connection
    store.sessions.set(id, { ...store.sessions.get(id), state: "error", error: store.failed.get(id) });
  }
  drawList();
  if (store.view?.id === id) drawTail();
}
