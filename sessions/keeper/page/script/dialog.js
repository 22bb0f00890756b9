// Dialogs: a new session, the name of a session, the token.

// openDialog shows a form. take gets the values of the fields; if it fails, the dialog stays and says why.
function openDialog(title, fields, verb, take) {
  const dialog = byID("dialog");
  const problem = node("p", { class: "problem", role: "alert" });
  const form = node("form", { onsubmit: async (e) => {
    e.preventDefault();
    try {
      await take(Object.fromEntries(new FormData(form)));
      dialog.close();
    } catch (failure) {
      problem.textContent = failure.message;
    }
  } },
  node("h2", { id: "dialog-title" }, title), fields, problem,
  node("div", { class: "buttons" },
    node("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
    node("button", { type: "submit", class: "first" }, verb)));
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.replaceChildren(form);
  if (!dialog.open) dialog.showModal();
}

const labelled = (text, field) => node("label", { class: "field" }, text, field);

function askNew() {
  const recent = [...store.sessions.values()].sort(newest);
  const dirs = [...new Set(recent.map((s) => s.workdir).filter(Boolean))];
  const current = store.sessions.get(store.view?.id)?.workdir ?? dirs[0] ?? "";
  openDialog("New session", [
    labelled("Folder", [
      node("input", { name: "workdir", required: true, value: current, list: "dirs", autocomplete: "off", spellcheck: "false" }),
      node("datalist", { id: "dirs" }, dirs.slice(0, 100).map((d) => node("option", { value: d }))),
    ]),
    labelled("Prompt", node("textarea", { name: "prompt", rows: "4", autofocus: true })),
  ], "Start", async ({ workdir, prompt }) => {
    const text = prompt.trim();
    const { id, state } = await api.start({ workdir: workdir.trim(), ...(text && { prompt: text }) });
    const now = new Date().toISOString();
    if (!store.sessions.has(id)) store.sessions.set(id, { id, workdir, firstPrompt: text, messageCount: 0, created: now, modified: now, state });
    go(id); // the history has the prompt
  });
}

function askName(id) {
  openDialog("Rename", [
    labelled("Name", node("input", { name: "name", value: store.sessions.get(id)?.name ?? "", placeholder: store.sessions.get(id)?.firstPrompt, autocomplete: "off", autofocus: true })),
  ], "Rename", async ({ name }) => {
    store.sessions.set(id, await api.rename(id, name.trim()));
    drawList();
  });
}

// askToken asks for the token. Without it, the page has nothing to show.
function askToken() {
  sessionStorage.removeItem(tokenKey);
  stream.socket?.close();
  byID("connection").textContent = "Not connected. Reload this page to enter the token.";
  if (byID("dialog").open && byID("dialog").querySelector("[name=token]")) return;
  openDialog("Connect to the keeper", [
    node("p", {}, "Open the link that ", node("code", {}, "continuo keeper start"), " prints, or paste its token."),
    labelled("Token", node("input", { name: "token", type: "password", required: true, autocomplete: "off", autofocus: true })),
  ], "Connect", async ({ token: value }) => {
    sessionStorage.setItem(tokenKey, value.trim());
    byID("connection").textContent = "";
    connectOr();
  });
}
