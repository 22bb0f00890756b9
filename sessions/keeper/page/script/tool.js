// Calls of tools. Their parameters decide how they are drawn, so that tools of MCP servers look alike.

// toolLine is what a call does, in one line.
function toolLine(input, dir) {
  const value = input.file_path ?? input.notebook_path ?? input.command ?? input.description ?? input.pattern ?? input.query ??
    input.url ?? input.path ?? input.prompt ?? input.skill ?? Object.values(input).find((v) => typeof v === "string") ?? "";
  return shown(relative(String(value), dir)).split("\n")[0];
}

// changesOf returns the pairs of old and new text in a call, and the names of the parameters that the pairs contain.
function changesOf(input) {
  const isText = (value) => typeof value === "string";
  const name = ["new_string", "content", "new_source"].find((n) => isText(input[n]));
  if (name === "new_string" && isText(input.old_string)) return { pairs: [[input.old_string, input.new_string]], names: ["old_string", name] };
  if (name) return { pairs: [["", input[name]]], names: [name] };
  const list = Array.isArray(input.edits) ? input.edits : [];
  if (!list.length || !list.every((e) => isText(e?.old_string) && isText(e.new_string))) return { pairs: [], names: [] };
  const whole = list.every((e) => Object.keys(e).length === 2);
  return { pairs: list.map((e) => [e.old_string, e.new_string]), names: whole ? ["edits"] : [] };
}

// toolBody draws all parameters of a call: a command, changes and a plan for reading, the others by name.
function toolBody(input) {
  const { pairs, names } = changesOf(input);
  const drawn = new Set(names);
  const body = pairs.map(([before, after]) => drawDiff(diff(before, after)));
  if (typeof input.command === "string") {
    drawn.add("command");
    body.unshift(node("pre", { class: "command", tabindex: "0" }, shown(input.command)));
  }
  if (typeof input.plan === "string") {
    drawn.add("plan");
    body.unshift(node("div", { class: "plan" }, markdown(input.plan)));
  }
  const others = Object.entries(input).filter(([name]) => !drawn.has(name));
  if (others.length) body.unshift(parameters(others));
  return node("div", { class: "body" }, body);
}

const parameters = (entries) => node("dl", {}, entries.map(([name, value]) => [
  node("dt", {}, shown(name)),
  node("dd", {}, shown(typeof value === "string" ? value : JSON.stringify(value, null, 1))),
]));

// drawTool draws a call, folded. The body is drawn when it is opened.
function drawTool({ name, input }, dir) {
  input = input ?? {};
  const lines = changesOf(input).pairs.flatMap(([before, after]) => diff(before, after));
  const count = (sign) => lines.filter((l) => l[0] === sign).length;
  const fold = node("details", { class: "tool" },
    node("summary", {},
      node("b", {}, shown(name)),
      node("span", { class: "what" }, toolLine(input, dir)),
      lines.length > 0 && node("span", { class: "sum" }, node("ins", {}, "+" + count("+")), " ", node("del", {}, "−" + count("-")))));
  fold.addEventListener("toggle", () => fold.append(toolBody(input)), { once: true });
  return fold;
}
