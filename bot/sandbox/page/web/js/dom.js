// Making elements. Text always goes in as text: nothing on this page parses
// strings as HTML, so no name and no message can become markup.

/** Makes an element. Props are attributes, except class, text, on*, data and style (custom properties). */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") el.className = value;
    else if (key === "text") el.textContent = value;
    else if (key === "data") Object.assign(el.dataset, value);
    else if (key === "style") for (const [k, v] of Object.entries(value)) el.style.setProperty(k, v);
    else if (key.startsWith("on")) el.addEventListener(key.slice(2), value);
    else el.setAttribute(key, value === true ? "" : value);
  }
  el.append(...present(children));
  return el;
}

/** Children may be lists, and what is not wanted may be false or null. */
const present = (children) => children.flat().filter((c) => c !== undefined && c !== null && c !== false);

/** Replaces what is in an element. */
export function fill(el, ...children) {
  el.replaceChildren(...present(children));
}

/** The same, the focus staying with what has the same data-key. */
export function refill(el, ...children) {
  const key = el.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  fill(el, ...children);
  if (key !== undefined) el.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

const SVG = "http://www.w3.org/2000/svg";

/** The page's icons, drawn on a grid of 24 with strokes. */
const paths = {
  hash: "M9 4 7 20M17 4l-2 16M4.5 9h16M3.5 15h16",
  thread: "M5 4v9a4 4 0 0 0 4 4h10m-4-4 4 4-4 4",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M5.5 11h13v9h-13z",
  mail: "M3.5 6h17v12h-17zM4 7l8 6 8-6",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9c0-3.5 2.7-6 6-6s6 2.5 6 6M16 4.4a3.5 3.5 0 0 1 0 6.3M17.5 14.4c2.1.8 3.5 2.9 3.5 5.6",
  phone: "M7.5 3h9a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM11 18h2",
  tools: "m8 8-4 4 4 4m8-8 4 4-4 4M13.5 5l-3 14",
  close: "M6 6l12 12M18 6 6 18",
  send: "M4 12 20 4l-5 16-3.5-6.5L4 12Zm7.5 1.5L20 4",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  chevron: "m6 9 6 6 6-6",
  check: "m5 12.5 4.5 4.5L19 7.5",
  link: "M14 5h5v5M19 5l-8 8M10 6H5v13h13v-5",
  warn: "M12 4 2.8 20h18.4L12 4Zm0 6v5m0 2.6v.2",
  plus: "M12 5v14M5 12h14",
  shield: "M12 3 5 5.5V11c0 4.6 2.9 8 7 10 4.1-2 7-5.4 7-10V5.5L12 3Z",
  more: "M5 12a.4.4 0 1 0 .01 0M12 12a.4.4 0 1 0 .01 0M19 12a.4.4 0 1 0 .01 0",
  pin: "M9 4h6l-1 6 3.5 3.5H6.5L10 10 9 4Zm3 9.5V21",
  smile: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM8.5 14.5a4.2 4.2 0 0 0 7 0M9 9.5v.2M15 9.5v.2",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3.5 9h17M3.5 15h17M12 3c5 5.5 5 12.5 0 18M12 3c-5 5.5-5 12.5 0 18",
};

/** An icon, hidden from screen readers: what it means stands beside it or in the button's name. */
export function icon(name, size = 20) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [k, v] of Object.entries({ viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true", class: "icon" })) {
    svg.setAttribute(k, v);
  }
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

/** The element of that id, which index.html holds. */
export const $ = (id) => document.getElementById(id);

/** An id that nothing else on the page has. */
let ids = 0;
export const newId = (prefix) => `${prefix}-${++ids}`;
