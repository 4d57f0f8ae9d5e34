// Message components, v1 and v2, from the JSON that Discord gives: every type in
// the table below, nothing else.

import { h, icon } from "./dom.js";
import { OPTION, offers } from "./commands.js";
import { besideLabel } from "./emoji.js";
import { draw } from "./markdown.js";
import { drawFile, drawHidden, drawMedia } from "./media.js";
import { store } from "./store.js";
import { openPicker } from "./picker.js";

const ROW = 1, BUTTON = 2, CONTAINER = 17;
const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "premium" };
const BLANK = /^[\u200b\s]*$/;

const drawers = {
  1: drawRow,
  2: drawButton,
  3: drawSelect,
  5: drawSelect,
  6: drawSelect,
  7: drawSelect,
  8: drawSelect,
  9: drawSection,
  10: (c, ctx) => h("div", { class: "text" }, draw(c.content, ctx)),
  11: (c, ctx) => drawMedia(c.media, { text: c.description, spoiler: c.spoiler, kind: "thumbnail" }, ctx),
  12: (c, ctx) => h("div", { class: "gallery", data: { count: String(c.items?.length ?? 0) } }, (c.items ?? []).map((i) => drawMedia(i.media, { text: i.description, spoiler: i.spoiler }, ctx))),
  13: (c, ctx) => drawFile(c.file, c.spoiler, ctx),
  14: (c) => h("hr", { class: `separator${c.divider === false ? " separator-blank" : ""}${c.spacing === 2 ? " separator-wide" : ""}` }),
  17: drawContainer,
};

/**
 * Draws components one below the other. Rows that follow one another become one
 * group, whose shape says whether it is a board.
 *
 * ctx: {snap, unknown, actions, rows}, rows being how many rows of the message
 * came before.
 */
export function drawComponents(components, ctx) {
  const out = [];
  for (let i = 0; i < components.length; i++) {
    if (components[i].type !== ROW) {
      out.push((drawers[components[i].type] ?? drawUnknown)(components[i], ctx));
      continue;
    }
    let end = i;
    while (components[end + 1]?.type === ROW) end++;
    out.push(drawRows(components.slice(i, end + 1), ctx));
    i = end;
  }
  return out;
}

function drawUnknown(c) {
  return h("p", { class: "unsupported", text: `Component of type ${c.type}` });
}

/** How many of the first rows are a board: three or more of one width, with labels like cells. */
function boardHeight(rows) {
  const width = rows[0].components.length;
  const isCells = (r) => r.components.length === width &&
    r.components.every((c) => c.type === BUTTON && !c.emoji && [...(c.label ?? "")].length <= 2);
  let height = 0;
  while (height < rows.length && isCells(rows[height])) height++;
  return width >= 2 && height >= 3 ? height : 0;
}

function drawRows(rows, ctx) {
  const board = boardHeight(rows);
  const width = rows[0].components.length;
  const name = board ? `Board, ${board} rows of ${width}` : "Controls";
  return h("div", { class: board ? "rows rows-board" : "rows", role: "group", "aria-label": name },
    rows.map((r, i) => drawRow(r, ctx, i < board ? i + 1 : 0)));
}

function drawRow(row, ctx, boardRow = 0) {
  const index = ctx.rows++;
  return h("div", { class: "row" }, row.components.map((c, column) => {
    const cell = boardRow ? { row: boardRow, column: column + 1 } : null;
    const el = (drawers[c.type] ?? drawUnknown)(c, ctx, cell);
    const target = el.matches(".button, .select") ? el : el.querySelector(".button, .select");
    target?.setAttribute("data-row", String(index));
    target?.setAttribute("data-column", String(column));
    return el;
  }));
}

/** A cell's name: its column's letter and its row's number, as in "b1". */
const nameOfCell = ({ row, column }) => String.fromCharCode(96 + column) + row;

function drawButton(c, ctx, cell) {
  const label = c.label ?? "";
  const blank = BLANK.test(label);
  const place = cell && nameOfCell(cell);
  let name; // said instead of what is shown
  if (blank && !c.emoji) name = place ?? "Button without a label";
  else if (blank) name = c.emoji.id ? `:${c.emoji.name}:` : c.emoji.name;
  else if (place && label !== place) name = `${label}, ${place}`;
  const props = {
    class: `button button-${STYLES[c.style] ?? "secondary"}${cell ? " cell" : ""}`,
    "aria-label": name,
    "aria-disabled": c.disabled ? "true" : undefined,
    tabindex: "-1",
  };
  // An emoji alone stands in the middle: no label, not even an empty one, beside it.
  const content = [c.emoji && besideLabel(c.emoji, "button-emoji"), !(blank && c.emoji) && h("span", { class: "button-label", text: label }), h("span", { class: "spinner" })];
  if (c.style === 5 && !c.disabled) {
    return h("a", { ...props, href: c.url, target: "_blank", rel: "noopener noreferrer" }, content, icon("link", 16));
  }
  return h("button", {
    ...props, type: "button", data: { id: c.custom_id ?? "" },
    // Disabled buttons stay in reach of the keyboard, so that a board can be read to its end.
    onclick: (e) => { if (!c.disabled && c.custom_id) ctx.actions.press(ctx.snap, c, e.currentTarget); },
  }, content);
}

/** What a select has chosen already is a person, a role or a channel. */
function nameOfChosen({ id, type }) {
  if (type === "role") return store.role(id)?.name ?? "deleted-role";
  if (type === "channel") return "#" + (store.channels.get(id)?.name ?? "unknown");
  return store.nameOf(id);
}

function drawSelect(c, ctx) {
  const chosen = c.type === 3 ? (c.options ?? []).filter((o) => o.default) : (c.default_values ?? []).map((d) => ({ label: nameOfChosen(d), value: d.id }));
  const shown = chosen.map((o) => o.label).join(", ");
  const placeholder = c.placeholder || (c.type === 3 ? "Make a selection" : "Select");
  return h("button", {
    type: "button", class: "select", "aria-haspopup": "listbox", "aria-expanded": "false",
    "aria-disabled": c.disabled ? "true" : undefined, tabindex: "-1", data: { id: c.custom_id },
    onclick: async (e) => {
      if (c.disabled) return;
      const el = e.currentTarget;
      const values = await openPicker(el, {
        label: placeholder, items: selectItems(c), min: c.min_values ?? 1, max: c.max_values ?? 1,
        chosen: chosen.map((o) => o.value),
      });
      if (values) ctx.actions.select(ctx.snap, c, values, el);
    },
  }, h("span", { class: shown ? "select-value" : "select-placeholder", text: shown || placeholder }), h("span", { class: "spinner" }), icon("chevron", 18));
}

/** Selects offer what options of commands do. */
const AS_OPTION = { 5: OPTION.user, 6: OPTION.role, 7: OPTION.mentionable, 8: OPTION.channel };

/** What can be chosen in a select. */
export function selectItems(c) {
  if (c.type === 3) return c.options.map((o) => ({ value: o.value, label: o.label, hint: o.description, emoji: o.emoji }));
  return offers({ type: AS_OPTION[c.type], channel_types: c.channel_types }, "");
}

function drawSection(c, ctx) {
  return h("div", { class: "section" },
    h("div", { class: "section-text" }, drawComponents(c.components ?? [], ctx)),
    h("div", { class: "section-accessory" }, c.accessory && drawAccessory(c.accessory, ctx)));
}

/** A section's button is reached like one that stands in a row of its own. */
function drawAccessory(c, ctx) {
  return c.type === BUTTON ? drawRow({ components: [c] }, ctx) : (drawers[c.type] ?? drawUnknown)(c, ctx);
}

function drawContainer(c, ctx) {
  const accent = c.accent_color ?? null;
  const el = h("div", {
    class: accent === null ? "container" : "container container-accent",
    style: accent === null ? {} : { "--accent": "#" + accent.toString(16).padStart(6, "0") },
  }, drawComponents(c.components ?? [], ctx));
  return c.spoiler ? drawHidden(el) : el;
}
