// The field for the next message. Enter sends, Shift+Enter begins a line. Without a keyboard, Enter begins a line.

const compose = { drafts: new Map() }; // by session: what is typed

function startCompose() {
  const field = node("textarea", { id: "message", rows: "1", "aria-label": "Message", autocomplete: "off" });
  const send = node("button", { id: "send", type: "submit", class: "first" }, "Send");
  const stop = node("button", { id: "stop", type: "button", onclick: interrupt }, "Interrupt");
  const form = byID("compose");
  form.append(node("div", { id: "notice", role: "alert" }), field, node("div", { class: "buttons" }, stop, send));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    submit();
  });
  field.addEventListener("input", () => {
    compose.drafts.set(store.view.id, field.value);
    fit();
  });
  field.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || e.shiftKey || e.isComposing || touch()) return;
    e.preventDefault();
    submit();
  });
}

// fit makes the field as high as its text.
function fit() {
  const field = byID("message");
  field.style.height = "auto";
  field.style.height = Math.min(field.scrollHeight + 2, innerHeight * 0.4) + "px";
}

// openCompose shows the draft of the open session.
function openCompose() {
  byID("message").value = compose.drafts.get(store.view.id) ?? "";
  byID("notice").replaceChildren();
  fit();
}

function drawCompose() {
  const { state } = store.sessions.get(store.view.id) ?? {};
  const running = state === "busy" || state === "waiting";
  byID("stop").hidden = !running;
  byID("send").textContent = running ? "Queue" : "Send";
  byID("message").placeholder = running ? "Next message" : "Message";
  byID("message").disabled = byID("send").disabled = state === "error" || Boolean(store.view.error);
}

function submit() {
  const text = byID("message").value.trim();
  if (!text || byID("send").disabled || !store.view) return;
  byID("message").value = "";
  compose.drafts.delete(store.view.id);
  fit();
  post(store.view.id, text, false);
}

// post shows a message at once and sends it.
async function post(id, text, fork) {
  const { state } = store.sessions.get(id) ?? {};
  const entry = { text, queued: state === "busy" || state === "waiting" };
  store.sent.set(id, [...(store.sent.get(id) ?? []), entry]);
  store.failed.delete(id);
  byID("notice").replaceChildren();
  scroll.follows = true;
  drawTail();
  try {
    const answer = await api.send(id, text, fork);
    if (answer.id !== id) { // a fork, whose history has the message
      unsend(id, entry);
      go(answer.id);
    }
  } catch (failure) {
    unsend(id, entry);
    drawTail();
    refused(id, text, failure);
  }
}

// refused puts the text of a message back into the field, and says why it wasn't sent.
function refused(id, text, failure) {
  compose.drafts.set(id, text);
  if (store.view?.id !== id) return;
  byID("message").value = text;
  fit();
  if (failure.status !== 409 || !failure.body.pid) {
    byID("notice").replaceChildren(failure.message);
    return;
  }
  const fork = () => {
    byID("message").value = "";
    compose.drafts.delete(id);
    fit();
    post(id, text, true);
  };
  byID("notice").replaceChildren(
    "This session is open in another client (process " + failure.body.pid + ", since " + clock(failure.body.since) + "). ",
    node("button", { type: "button", onclick: fork }, "Fork it and send"));
}

async function interrupt() {
  try {
    await api.interrupt(store.view.id);
  } catch (failure) {
    byID("notice").replaceChildren(failure.message);
  }
}
