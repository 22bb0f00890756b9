// Calls of tools. Their parameters decide how they are drawn, so that tools of MCP servers look alike.

// toolLine is what a call does, in one line.
function toolLine(input, dir) {
  const value = input.file_path ?? input.notebook_path ?? input.command ?? input.description ?? input.pattern ?? input.query ??
    input.url ?? input.path ?? input.prompt ?? input.skill ?? Object.values(input).find((v) => typeof v === "string") ?? "";
  return shown(relative(String(value), dir)).split("\n")[0];
}

// edits returns the pairs of old and new text in the parameters of a call.
function edits(input) {
  const added = input.new_string ?? input.content ?? input.new_source;
  const one = typeof added === "string" ? [{ old_string: input.old_string ?? "", new_string: added }] : [];
  const several = Array.isArray(input.edits) ? input.edits : [];
  return [...one, ...several].filter((e) => typeof e?.new_string === "string").map((e) => [String(e.old_string ?? ""), e.new_string]);
}

// toolBody draws all parameters of a call: commands, changes and plans for reading, the others by name.
function toolBody(input) {
  const changes = edits(input).map(([before, after]) => drawDiff(diff(before, after)));
  const drawn = new Set(changes.length ? ["old_string", "new_string", "content", "new_source"] : []);
  if (changes.length && Array.isArray(input.edits) && input.edits.every((e) => Object.keys(e).every((k) => drawn.has(k)))) drawn.add("edits");
  const body = [changes];
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
  const lines = edits(input).flatMap(([before, after]) => diff(before, after));
  const count = (sign) => lines.filter((l) => l[0] === sign).length;
  const fold = node("details", { class: "tool" },
    node("summary", {},
      node("b", {}, shown(name)),
      node("span", { class: "what" }, toolLine(input, dir)),
      lines.length > 0 && node("span", { class: "sum" }, node("ins", {}, "+" + count("+")), " ", node("del", {}, "−" + count("-")))));
  fold.addEventListener("toggle", () => fold.append(toolBody(input)), { once: true });
  return fold;
}
