// Pictures and files of messages: what the app uploaded is shown; what lies on
// other hosts is not fetched, because nothing leaves this machine.

import { h, icon } from "./dom.js";
import { draw, drawTitle } from "./markdown.js";
import { store } from "./store.js";
import { clock } from "./timestamps.js";
import { decode } from "./words.js";

const PICTURE = /^image\/(png|jpeg|gif|webp)$/;
const SPOILER = /^SPOILER_/;
const UPLOADED = "attachment://";

const isPicture = (a) => PICTURE.test(a?.content_type ?? "");
/** Where a file lies on the address that the page has, whatever its own says. */
const pathOf = (a) => new URL(a.url).pathname;

/** The attachment that an address names, if it names one of this message. */
function attachmentOf(url, snap) {
  return url.startsWith(UPLOADED) ? snap.attachments?.find((a) => a.filename === url.slice(UPLOADED.length)) : undefined;
}

/** Covers an element until it is asked for. */
export function drawHidden(el) {
  const cover = h("button", { type: "button", class: "cover", text: "Spoiler", onclick: () => box.replaceWith(el) });
  const box = h("div", { class: "covered" }, h("div", { inert: true }, el), cover);
  return box;
}

/** A picture by its address; the text says what it shows. */
export function drawMedia(media, { text, spoiler, kind = "picture" }, { snap }) {
  const url = media?.url ?? "";
  const a = attachmentOf(url, snap);
  const el = isPicture(a) ? drawUpload(a, text, kind) : drawAbsent(a?.filename ?? nameOf(url), text, kind, url);
  return spoiler || SPOILER.test(a?.filename) ? drawHidden(el) : el;
}

function drawUpload(a, text, kind) {
  const said = text || a.description;
  const el = h("img", {
    class: kind, src: pathOf(a), alt: said || a.filename, title: said, width: a.width, height: a.height, decoding: "async",
    // The oldest uploads are dropped; their place is kept.
    onerror: () => el.replaceWith(drawAbsent(a.filename, said, kind, a.filename)),
  });
  return el;
}

/** The place of a picture that is not there, with its description, which is what has to be checked. */
function drawAbsent(name, text, kind, url) {
  return h("div", { class: `${kind} media-absent`, role: "img", "aria-label": text || "Picture without a description", title: url },
    icon("file", 24), h("span", { class: "media-name", text: text || name }));
}

const nameOf = (url) => decode(url.split(/[?#]/)[0].split("/").at(-1) || url);

const UNITS = [[1 << 20, "megabyte"], [1 << 10, "kilobyte"], [1, "byte"]];

function sizeOf(bytes) {
  const [size, unit] = UNITS.find(([s]) => bytes >= s) ?? UNITS.at(-1);
  return new Intl.NumberFormat(store.me?.locale ?? "en-US", { style: "unit", unit, maximumFractionDigits: 1 }).format(bytes / size);
}

/** A file to be saved. */
export function drawFile(file, spoiler, { snap }) {
  const url = file?.url ?? "";
  const a = attachmentOf(url, snap);
  const el = h("div", { class: "file" }, icon("file", 24), h("div", { class: "file-text" },
    a ? h("a", { href: pathOf(a), download: a.filename, text: a.filename }) : h("span", { text: nameOf(url) }),
    a && h("span", { class: "muted", text: sizeOf(a.size) }),
    a?.description && h("span", { class: "muted", text: a.description })));
  return spoiler || SPOILER.test(a?.filename) ? drawHidden(el) : el;
}

/** The files of a message that none of its parts refers to. In components v2 there are none of these. */
export function drawAttachments(snap, ctx) {
  if (snap.flags & 32768) return [];
  const shown = new Set((snap.embeds ?? []).flatMap((e) => [e.image?.url, e.thumbnail?.url]));
  return (snap.attachments ?? []).map((a) => ({ a, url: UPLOADED + a.filename })).filter(({ url }) => !shown.has(url)).map(({ a, url }) =>
    isPicture(a) ? drawMedia({ url }, {}, ctx) : drawFile({ url }, false, ctx));
}

/** Fields are drawn in the width of their row: up to three that are inline share one. */
function drawFields(fields, ctx) {
  const rows = [];
  for (const f of fields) {
    const row = rows.at(-1);
    if (f.inline && row?.[0].inline && row.length < 3) row.push(f);
    else rows.push([f]);
  }
  return h("dl", { class: "embed-fields" }, rows.flatMap((row) => row.map((f) =>
    h("div", { class: `embed-field-${row.length}` }, h("dt", {}, drawTitle(f.name, ctx)), h("dd", {}, draw(f.value, ctx))))));
}

const colourOf = (e) => (e.color ? { "--accent": "#" + e.color.toString(16).padStart(6, "0") } : {});

/** Embeds: their texts and pictures. */
export function drawEmbeds(embeds, ctx) {
  return (embeds ?? []).map((e) => h("div", { class: "embed", style: colourOf(e) },
    h("div", {},
      e.author?.name && h("p", { class: "embed-author", text: e.author.name }),
      e.title && h("p", { class: "embed-title" }, drawTitle(e.title, ctx, e.url)),
      e.description && draw(e.description, ctx),
      e.fields?.length > 0 && drawFields(e.fields, ctx)),
    e.thumbnail && drawMedia(e.thumbnail, { kind: "thumbnail" }, ctx),
    e.image && drawMedia(e.image, { kind: "picture embed-image" }, ctx),
    (e.footer?.text || e.timestamp) && h("p", { class: "embed-footer" }, e.footer?.text, e.footer?.text && e.timestamp && " • ", e.timestamp && clock(e.timestamp))));
}
