// The address, keys, and the start.

// readAddress takes the token out of the address, and opens the session in it: #token=…&session=<uuid>.
function readAddress() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const id = fields.get("session") ?? "";
  if (fields.has("token")) {
    sessionStorage.setItem(tokenKey, fields.get("token"));
    history.replaceState(null, "", id ? "#session=" + encodeURIComponent(id) : location.pathname);
  }
  if (id !== (store.view?.id ?? "")) show(id);
}

// go opens a session and writes it into the address.
function go(id) {
  location.hash = id ? "session=" + encodeURIComponent(id) : "";
}

function show(id) {
  document.body.classList.toggle("talking", id !== "");
  store.view = null;
  byID("history").replaceChildren();
  for (const part of ["earlier", "partial", "sent", "failure", "ask"]) byID(part).replaceChildren();
  ask.id = "";
  if (id) {
    byID("content").setAttribute("aria-busy", "true");
    if (stream.last === null) store.view = { id }; // readAll opens it
    else openView(id);
    openCompose();
    drawTail();
    if (!touch()) byID("message").focus();
  }
  drawList();
}

// back moves the focus to the list. On a narrow screen it also closes the conversation.
function back() {
  const id = store.view?.id;
  if (matchMedia("(max-width: 760px)").matches) go("");
  document.activeElement.blur(); // also if the filter hides the row
  list.rows.get(id)?.anchor.focus();
}

function onKey(e) {
  const typing = e.target.closest("input, textarea, select");
  if (byID("dialog").open || e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return;
  if (e.target.id === "filter") {
    onFilterKey(e);
  } else if (e.key === "Escape") {
    back();
  } else if (typing || e.target.closest("#scroll, form")) {
    return; // arrows scroll and choose there
  } else if (e.key === "/") {
    e.preventDefault();
    byID("filter").focus();
  } else if (e.key === "j" || e.key === "ArrowDown" || e.key === "k" || e.key === "ArrowUp") {
    e.preventDefault();
    moveFocus(e.key === "j" || e.key === "ArrowDown" ? 1 : -1);
  }
}

function onFilterKey(e) {
  if (e.key === "Escape") {
    e.preventDefault();
    byID("filter").value = "";
    byID("filter").blur();
    drawList();
  } else if (e.key === "ArrowDown") {
    e.preventDefault();
    byID("rows").querySelector("a")?.focus();
  } else if (e.key === "Enter") {
    const [found] = matching(); // the rows may not be drawn yet
    if (found) go(found.id);
  }
}

// connectOr connects, or asks for the token if there is none.
function connectOr() {
  if (token()) connect();
  else askToken();
}

startCompose();
watchScroll();
byID("new").addEventListener("click", askNew);
byID("filter").addEventListener("input", () => { list.all = false; drawList(); });
addEventListener("keydown", onKey);
addEventListener("hashchange", () => {
  const before = token();
  readAddress();
  if (token() !== before) location.reload();
});
addEventListener("online", refresh);
document.addEventListener("visibilitychange", refresh);
setInterval(drawList, 30000); // ages
readAddress();
connectOr();
