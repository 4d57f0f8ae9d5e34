// The markdown that Discord renders in messages, as a tree: parse() gives plain
// objects, so that the same text can be drawn, spoken and shown in a notification.

import { styles } from "./timestamps.js";

// What can begin within a line. Every pattern is tried where the text stands, and
// sees what comes before it. Of those for emphasis the longest wins, as in
// "***a** b*"; otherwise the first.
const INLINE = [
  [/¯\\_\(ツ\)_\/¯/y, (m) => text(m[0])],
  [/\\([^\sA-Za-z0-9])/y, (m) => text(m[1])],
  [/(`+)([^]*?[^`])\1(?!`)/y, (m) => ({ type: "code", text: m[2].replace(/^ (?= *`)|(?<=` *) $/g, "") })],
  [/<@!?(\d+)>/y, (m) => ({ type: "person", id: m[1] })],
  [/<@&(\d+)>/y, (m) => ({ type: "role", id: m[1] })],
  [/<#(\d+)>/y, (m) => ({ type: "channel", id: m[1] })],
  [/<\/([^:<>\n]{1,100}):(\d+)>/y, (m) => ({ type: "command", path: m[1], id: m[2] })],
  [new RegExp(`<t:(-?\\d{1,17})(?::([${styles}]))?>`, "y"), (m) => ({ type: "time", seconds: Number(m[1]), style: m[2] ?? "f" })],
  [/<a?:(\w{2,32}):(\d+)>/y, (m) => ({ type: "emoji", name: m[1], id: m[2] })],
  [/<(https?:\/\/[^\s<>]+)>/y, (m) => link(m[1], [text(m[1])])],
  [/\[((?:\\.|[^\[\]\\\n])+)\]\(<?(https?:\/\/[^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+"[^"\n]*")?\)/y, (m) => link(m[2], inline(m[1]))],
  [/https?:\/\/(?:\([^\s<>()]*\)|[^\s<>(]|\((?![^\s<>()]*\)))*(?:\([^\s<>()]*\)|[^\s<>.,:;!?"')\]])/y, (m) => link(m[0], [text(m[0])])],
  [/@(everyone|here)\b/y, (m) => ({ type: "all", text: m[0] })],
  [/\|\|([^]+?)\|\|/y, (m) => ({ type: "spoiler", children: inline(m[1]) })],
  [/~~([^]+?)~~(?!~)/y, (m) => ({ type: "s", children: inline(m[1]) })],
];

const EMPHASIS = [
  [/\*(?=\S)(?!\*{3})((?:\*\*|\\[^]|\s+(?:\\[^]|\*\*|[^\s*\\])|[^\s*\\])+?)\*(?!\*)/y, "em"],
  // An underscore within a word is a letter like any other.
  [/(?<![\p{L}\p{N}])_((?:__|\\[^]|[^\\_]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}]))+?)_(?![\p{L}\p{N}_])/uy, "em"],
  [/\*\*((?:\\[^]|[^\\])+?)\*\*(?!\*)/y, "strong"],
  [/__((?:\\[^]|[^\\])+?)__(?!_)/y, "u"],
];

/** Up to the next character at which something other than text can begin. */
const PLAIN = /[^][^\\`<[h@|*_~¯\n]*/y;

const text = (t) => ({ type: "text", text: t });
const link = (url, children) => ({ type: "link", url, children });

const at = (pattern, source, place) => {
  pattern.lastIndex = place;
  return pattern.exec(source);
};

/** What stands at a place of the text, and how long it is. */
function begin(source, place) {
  if (source[place] === "\n") return [{ type: "break" }, 1];
  for (const [pattern, make] of INLINE) {
    const m = at(pattern, source, place);
    if (m) return [make(m), m[0].length];
  }
  let best = null, kind;
  for (const [pattern, type] of EMPHASIS) {
    const m = at(pattern, source, place);
    if (m && m[0].length > (best?.[0].length ?? 0)) [best, kind] = [m, type];
  }
  if (best) return [{ type: kind, children: inline(best[1]) }, best[0].length];
  const plain = at(PLAIN, source, place)[0];
  return [text(plain), plain.length];
}

/** Parses one line of a text, without blocks. */
export function inline(source) {
  const out = [];
  for (let place = 0; place < source.length;) {
    const [node, length] = begin(source, place);
    const last = out.at(-1);
    if (node.type === "text" && last?.type === "text") last.text += node.text;
    else out.push(node);
    place += length;
  }
  return out;
}

const FENCE = /```(?:([\w.#+-]+)\n)?\n*([^\n][^]*?)\n*```/y;
const ITEM = /^( *)([-*]|\d{1,9}\.) +(\S.*)$/;

/**
 * Parses a message's text into blocks: p, quote, list, pre, heading and small.
 * Quotes do not nest.
 */
export function parse(source, quoted = false) {
  const out = [];
  let paragraph = [];
  // An empty line before a block stays one.
  const flush = () => {
    if (paragraph.length) out.push({ type: "p", children: inline(paragraph.join("\n") + (paragraph.at(-1) ? "" : "\n")) });
    paragraph = [];
  };
  source = source.replace(/\n+$/, "");
  let place = 0;
  let fresh = true; // at the beginning of a line
  while (place < source.length) {
    const end = (source + "\n").indexOf("\n", place);
    const line = source.slice(place, end);
    if (fresh && !quoted && line.startsWith(">>> ")) {
      flush();
      out.push({ type: "quote", children: parse(source.slice(place + 4), true) });
      return out;
    }
    const block = fresh && (quote(source, place, quoted) ?? list(source, place) ?? heading(line));
    if (block) {
      flush();
      out.push(block.node);
      place += block.length ?? line.length + 1;
      continue;
    }
    const code = fence(source, place, end);
    if (code) {
      if (code.before) paragraph.push(code.before);
      flush();
      out.push(code.node);
      place = code.end;
      fresh = source[place] === "\n";
      if (fresh) place++;
      continue;
    }
    paragraph.push(line);
    place = end + 1;
    fresh = true;
  }
  if (paragraph.length) out.push({ type: "p", children: inline(paragraph.join("\n")) });
  return out;
}

/** Code between three backticks, which may begin in the middle of a line. */
function fence(source, place, end) {
  for (let i = source.indexOf("```", place); i >= 0 && i < end; i = source.indexOf("```", i + 3)) {
    const m = source[i - 1] !== "\\" && at(FENCE, source, i);
    if (m) return { before: source.slice(place, i), node: { type: "pre", language: m[1], text: m[2] }, end: i + m[0].length };
  }
  return null;
}

function quote(source, place, quoted) {
  const m = !quoted && at(/(?:> [^\n]*(?:\n|$))+/y, source, place);
  return m ? { node: { type: "quote", children: parse(m[0].replace(/^> /gm, ""), true) }, length: m[0].length } : null;
}

function heading(line) {
  const m = /^(#{1,3}|-#) +(\S.*)$/.exec(line);
  if (!m) return null;
  return { node: { type: m[1] === "-#" ? "small" : "heading", level: m[1].length, children: inline(m[2]) } };
}

/**
 * A list: its items, further lines of them that are indented, and lists within.
 * It ends where a line is neither, and takes the empty lines after it along.
 */
function list(source, place) {
  const lists = []; // those that are open, the outermost first
  let length = 0;
  for (const line of source.slice(place).split("\n")) {
    const m = ITEM.exec(line);
    const open = lists.at(-1);
    if (m) {
      const depth = m[1].length, ordered = /\d/.test(m[2]);
      while (lists.length > 1 && depth < lists.at(-1).depth) lists.pop();
      const around = lists.at(-1);
      if (lists.length === 1 && depth < around.depth + 2 && ordered !== around.ordered) break;
      if (!around || depth >= around.depth + 2) {
        lists.push({ type: "list", depth, ordered, start: ordered ? parseInt(m[2], 10) : 1, items: [] });
        if (around) around.items.at(-1).list = lists.at(-1);
      }
      lists.at(-1).items.push({ lines: [m[3]] });
    } else if (open && /^ {2,}\S/.test(line) && !open.items.at(-1).list) {
      open.items.at(-1).lines.push(line.trimStart());
    } else {
      break;
    }
    length += line.length + 1;
  }
  if (!lists.length) return null;
  while (source[place + length] === "\n") length++;
  return { node: finish(lists[0]), length };
}

/** Reads what the items say once all of their lines are known. */
function finish(l) {
  l.items = l.items.map((i) => ({ children: inline(i.lines.join("\n")), list: i.list && finish(i.list) }));
  return l;
}
