// Markdown as elements: headings, lists, tables, quotes, code, bold, italic, links. Everything else stays text. Markup in
// the text is shown as text.

// markdown returns the blocks of a text.
function markdown(text) {
  return blocks(text.replaceAll("\r\n", "\n").split("\n"), 0);
}

const fence = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const rule = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const divider = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$/;

function blocks(lines, depth) {
  const out = [];
  let i = 0;
  // take returns the following lines up to the first one that fails the test.
  const take = (test) => {
    const start = i;
    while (i < lines.length && test(lines[i], i)) i++;
    return lines.slice(start, i);
  };
  while (i < lines.length) {
    const line = lines[i];
    const opening = fence.exec(line);
    const head = heading.exec(line);
    if (!line.trim()) {
      i++;
    } else if (opening) {
      i++;
      const body = take((l) => !(l.trim().startsWith(opening[1]) && !l.trim().slice(opening[1].length).replaceAll(opening[1][0], "")));
      i++; // the closing fence
      out.push(code(body.join("\n"), opening[2]));
    } else if (head) {
      i++;
      out.push(node("h" + Math.min(6, head[1].length + 2), {}, inline(head[2]))); // the page has h1 and h2
    } else if (rule.test(line)) {
      i++;
      out.push(node("hr"));
    } else if (/^ {0,3}>/.test(line)) {
      const quoted = take((l) => /^ {0,3}>/.test(l)).map((l) => l.replace(/^ {0,3}> ?/, ""));
      out.push(node("blockquote", {}, depth < 8 ? blocks(quoted, depth + 1) : quoted.join("\n")));
    } else if (item.test(line)) {
      out.push(items(take((l, j) => listed(lines, j)), depth));
    } else if (line.includes("|") && divider.test(lines[i + 1] ?? "")) {
      out.push(table(take((l) => l.includes("|"))));
    } else {
      const first = i;
      out.push(node("p", {}, inline(take((l) => i === first || plain(l)).join("\n"))));
    }
  }
  return out;
}

// plain reports whether a line continues a paragraph.
const plain = (line) => line.trim() && !fence.test(line) && !heading.test(line) && !rule.test(line) && !item.test(line) && !/^ {0,3}>/.test(line);

// listed reports whether a line belongs to the list above it.
function listed(lines, i) {
  const inside = (line) => line !== undefined && (item.test(line) || /^\s+\S/.test(line));
  if (!lines[i].trim()) return inside(lines[i + 1]);
  return inside(lines[i]) || Boolean(lines[i - 1].trim() && plain(lines[i]));
}

const code = (text, language) => node("pre", { "data-language": language || null, tabindex: "0" }, node("code", {}, text));

// items makes a list of lines. Lines that are indented deeper than the first item belong to the item above them.
function items(lines, depth) {
  const [, indent, marker] = item.exec(lines[0]);
  const found = [];
  for (const line of lines) {
    const match = item.exec(line);
    if (match && match[1].length <= indent.length + 1) found.push([match[3]]);
    else found.at(-1).push(line);
  }
  const ordered = /\d/.test(marker);
  return node(ordered ? "ol" : "ul", { start: ordered ? parseInt(marker, 10) : null }, found.map((inner) => listItem(inner, depth)));
}

function listItem([first, ...rest], depth) {
  while (rest.length && plain(rest[0])) first += "\n" + rest.shift().trim();
  const indents = rest.filter((l) => l.trim()).map((l) => /^\s*/.exec(l)[0].length);
  const cut = Math.min(...indents, 100);
  const task = /^\[([ xX])\]\s+(.*)/s.exec(first);
  const lead = task ? [node("span", { class: "box" }, task[1] === " " ? "○ " : "✓ "), inline(task[2])] : inline(first);
  const inner = rest.map((l) => l.slice(cut));
  return node("li", { class: task ? "task" : null }, lead, depth < 8 ? blocks(inner, depth + 1) : inner.join("\n"));
}

function table([head, , ...rows]) {
  const cells = (row) => row.trim().replace(/^\||(?<!\\)\|$/g, "").split(/(?<!\\)\|/).map((c) => c.trim().replaceAll("\\|", "|"));
  const line = (row, tag) => node("tr", {}, cells(row).map((c) => node(tag, {}, inline(c))));
  return node("div", { class: "table", tabindex: "0" }, node("table", {}, node("thead", {}, line(head, "th")), node("tbody", {}, rows.map((r) => line(r, "td")))));
}

// The alternatives: escape, code, bold, italic (* and _), deleted, link, address.
const marks = new RegExp([
  /\\(?<escape>[!-/:-@[-`{-~])/,
  /(?<ticks>`+)(?<code>[^`]|[^`][\s\S]*?[^`])\k<ticks>(?!`)/,
  /\*\*(?<bold>(?=\S)[\s\S]*?\S)\*\*(?!\*)/,
  /(?<!\w)__(?<bold2>(?=\S)[\s\S]*?\S)__(?!\w)/,
  /\*(?<italic>[^\s*](?:[^*]*[^\s*])?)\*/,
  /(?<!\w)_(?<italic2>[^\s_](?:[^_]*[^\s_])?)_(?!\w)/,
  /~~(?<gone>(?=\S)[\s\S]*?\S)~~/,
  /!?\[(?<text>[^[\]]*)\]\(\s*<?(?<target>[^\s()<>]+(?:\([^\s()<>]*\))?)>?(?:\s+"[^"]*")?\s*\)/,
  /(?<address>https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}*_])/,
].map((r) => r.source).join("|"));

// inlineMost is how long a text with marks may be. A longer one stays plain: unclosed marks could take seconds.
const inlineMost = 10000;

function inline(text) {
  const out = [];
  while (text) {
    const match = text.length <= inlineMost && marks.exec(text);
    if (!match) break;
    out.push(text.slice(0, match.index), marked(match.groups));
    text = text.slice(match.index + match[0].length);
  }
  return [...out, text];
}

function marked(g) {
  const bold = g.bold ?? g.bold2;
  const italic = g.italic ?? g.italic2;
  if (g.escape) return g.escape;
  if (g.code) return node("code", {}, g.code.replace(/^ (.*\S.*) $/s, "$1"));
  if (bold) return node("strong", {}, inline(bold));
  if (italic) return node("em", {}, inline(italic));
  if (g.gone) return node("del", {}, inline(g.gone));
  if (g.address) return link(g.address, g.address);
  return link(g.text, g.target);
}

// link makes a link to an address of the web. Another target is shown as text.
function link(text, target) {
  if (/^https?:\/\//i.test(target)) {
    return node("a", { href: target, target: "_blank", rel: "noopener noreferrer", title: target }, text || target);
  }
  return text === target ? text : [text, " (" + target + ")"];
}
