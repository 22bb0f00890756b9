// Questions of Claude: may a tool run, which option, is the plan right. The oldest one is shown in full below the messages.

const ask = { id: "" }; // ID of the question that is shown

// question is the title of a question.
function question({ type, toolName, toolInput }) {
  if (type === "question") return "Claude asks";
  if (type === "plan") return "Carry out this plan?";
  if (typeof toolInput?.command === "string") return "May Claude run this command?";
  if (changesOf(toolInput ?? {}).pairs.length) return "May Claude edit this file?";
  return "May Claude use " + shown(toolName ?? "this tool") + "?";
}

// drawAsk shows the oldest question of a session. A question that is shown already is left alone: a person may be typing.
function drawAsk(id) {
  const open = questions(id);
  if (ask.id === (open[0]?.id ?? "")) {
    numberQuestions(open.length);
    return;
  }
  ask.id = open[0]?.id ?? "";
  byID("ask").replaceChildren(...(open[0] ? [drawQuestion(open[0], open.length)] : []));
  numberQuestions(open.length);
}

function numberQuestions(n) {
  const count = byID("ask").querySelector(".count");
  if (count) count.textContent = n > 1 ? "1 of " + n : "";
}

function drawQuestion(attention) {
  const title = question(attention);
  const form = node("form", { class: "ask", "aria-label": title, novalidate: true },
    node("header", {}, node("h2", {}, title), node("span", { class: "count" })),
    node("p", { class: "where" }, shown(circumstances(attention).filter(Boolean).join(" · "))));
  if (attention.type === "question") form.append(...drawOptions(form, attention));
  else form.append(...drawPermission(form, attention));
  // A second click on a button of the previous question must not answer this question.
  const buttons = [...form.querySelectorAll("button")];
  for (const b of buttons) b.disabled = true;
  setTimeout(() => buttons.forEach((b) => { b.disabled = false; }), 400);
  return form;
}

// circumstances are the tool, its purpose, the folder, the path that needs permission, and the time.
function circumstances({ type, title, toolName, description, toolInput, sessionId, path, timestamp }) {
  const dir = store.sessions.get(sessionId)?.workdir;
  const since = "since " + clock(timestamp);
  if (type !== "permission") return [since];
  return [title || toolName, description !== toolInput?.description && description, dir && "in " + dir, path && "needs " + path, since];
}

// resolve answers a question.
async function resolve(form, attention, answer) {
  const fields = form.querySelector("fieldset.answer");
  fields.disabled = true;
  try {
    await api.resolve(attention.id, answer);
  } catch (failure) {
    if (failure.status !== 404) { // 404 means that it was answered elsewhere
      fields.disabled = false;
      form.querySelector(".problem").textContent = failure.message;
      return;
    }
  }
  store.attention.delete(attention.id);
  drawTail();
  if (!touch()) byID("message").focus({ preventScroll: true });
}

function drawPermission(form, attention) {
  const input = attention.toolInput ?? {};
  const plan = attention.type === "plan";
  const editor = drawEditor(input);
  const allow = (extra) => resolve(form, attention, { behavior: "allow", ...editor.changed(), ...extra });
  return [
    node("div", { class: "content" }, toolBody(input), editor.area),
    node("fieldset", { class: "answer" },
      node("p", { class: "problem", role: "alert" }),
      node("div", { class: "buttons" },
        node("button", { type: "button", class: "first", onclick: () => allow() }, plan ? "Approve" : "Allow once"),
        editor.button,
        drawDenial(form, attention, plan ? "Keep planning" : "Deny")),
      (attention.suggestions ?? []).map((s, i) =>
        node("button", { type: "button", class: "always", onclick: () => allow({ behavior: "allowAlways", suggestion: i }) },
          suggestion(s)))),
  ];
}

// drawDenial draws a field for the reason, and the button that denies.
function drawDenial(form, attention, word) {
  const reason = node("input", { "aria-label": "Reason for Claude", placeholder: "Reason (optional)", autocomplete: "off" });
  const deny = () => resolve(form, attention, { behavior: "deny", message: reason.value.trim() });
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    if (document.activeElement === reason) deny();
  });
  return node("span", { class: "denial" }, reason, node("button", { type: "button", onclick: deny }, word));
}

// drawEditor draws a field for the text of a call that a person can edit, if there is one. The returned function changed returns the
// edited input.
function drawEditor(input) {
  const name = ["command", "content", "new_string", "new_source"].find((n) => typeof input[n] === "string");
  if (!name) return { changed: () => ({}) };
  const field = node("textarea", { hidden: true, rows: Math.min(20, input[name].split("\n").length + 1), "aria-label": "Edited " + name.replace("_", " "), spellcheck: "false" });
  field.value = input[name];
  const open = ({ currentTarget: button }) => {
    field.hidden = false;
    button.hidden = true;
    field.focus();
  };
  return {
    area: field,
    button: node("button", { type: "button", onclick: open }, "Edit"),
    changed: () => (field.hidden || field.value === input[name] ? {} : { updatedInput: { ...input, [name]: field.value } }),
  };
}

// suggestion says what a suggestion of the client allows from now on, and where the client stores that.
function suggestion({ rules = [], directories = [], mode, destination }) {
  const names = rules.map((r) => (r.ruleContent ? r.toolName + "(" + r.ruleContent + ")" : r.toolName));
  const [lead, what] = mode ? ["Allow, and set the mode ", [mode]] : directories.length ? ["Always allow access to ", directories] : ["Always allow ", names];
  const where = {
    session: " in this session", localSettings: " in .claude/settings.local.json", projectSettings: " in .claude/settings.json", userSettings: " in ~/.claude/settings.json",
  };
  return [lead, node("code", {}, shown(what.join(", "))), where[destination] ?? ""];
}

function drawOptions(form, attention) {
  const input = attention.toolInput ?? {};
  const list = Array.isArray(input.questions) ? input.questions : [];
  const groups = list.map((q, n) => drawGroup(q, n));
  const answer = () => {
    const answers = Object.fromEntries(groups.map((g, n) => [list[n].question, g.chosen().join(", ")]));
    if (Object.values(answers).some((a) => !a)) form.querySelector(".problem").textContent = "Choose an option for each question.";
    else resolve(form, attention, { behavior: "allow", updatedInput: { ...input, answers } });
  };
  return [
    node("div", { class: "content" }, groups.length ? groups.map((g) => g.fieldset) : toolBody(input)),
    node("fieldset", { class: "answer" },
      node("p", { class: "problem", role: "alert" }),
      node("div", { class: "buttons" },
        groups.length > 0 && node("button", { type: "button", class: "first", onclick: answer }, "Answer"),
        drawDenial(form, attention, "Don't answer"))),
  ];
}

// drawGroup draws a question with its options. Its function chosen returns the labels of the chosen options.
function drawGroup({ question: text, options = [], multiSelect }, n) {
  const own = node("input", { placeholder: "Something else", "aria-label": "Something else", autocomplete: "off" });
  const boxes = options.map((o) => node("input", { type: multiSelect ? "checkbox" : "radio", name: "question" + n, value: o.label }));
  if (!multiSelect) { // choose an option or type an answer
    own.addEventListener("input", () => boxes.forEach((b) => { b.checked = false; }));
    boxes.forEach((b) => b.addEventListener("change", () => { own.value = ""; }));
  }
  return {
    fieldset: node("fieldset", { class: "options" }, node("legend", {}, text),
      options.map((o, i) => node("label", {}, boxes[i], node("span", {}, node("b", {}, o.label), o.description && node("small", {}, o.description), o.preview && node("pre", {}, shown(o.preview))))),
      own),
    chosen: () => [...boxes.filter((b) => b.checked).map((b) => b.value), own.value.trim()].filter(Boolean),
  };
}
