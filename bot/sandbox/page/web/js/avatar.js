// Pictures of people: their initials on a colour of their own. Every colour
// carries white letters with a contrast of at least 4.5.

import { h } from "./dom.js";
import { store } from "./store.js";

const COLOURS = ["#B0413E", "#8A5A00", "#4D7C0F", "#0F766E", "#0369A1", "#4F5BD5", "#7E3FC0", "#B0357F", "#5B6472", "#9A4A1C"];

/** The same person always has the same colour, neighbours have different ones. */
export function colourOf(person) {
  let sum = 0;
  for (const ch of person.username) sum = (sum * 31 + ch.codePointAt(0)) >>> 0;
  return COLOURS[sum % COLOURS.length];
}

function initials(name) {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((w) => [...w][0] ?? "?").join("").toUpperCase();
}

export function avatar(person, size = 40) {
  const el = h("span", { class: `avatar avatar-${size}`, "aria-hidden": "true", style: { "--colour": colourOf(person) } });
  if (person.id === store.bot?.id) {
    el.classList.add("avatar-app");
    el.append(h("span", { class: "glyph" }));
  } else {
    el.textContent = initials(person.name);
  }
  return el;
}
