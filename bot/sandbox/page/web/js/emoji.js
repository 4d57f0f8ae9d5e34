// Emojis as elements: characters, and the pictures of applications.

import { h } from "./dom.js";

/** An emoji of an application, which is spoken by its name, as Discord does. */
export function picture({ id, name }) {
  return h("img", { class: "custom-emoji", src: `/page/emojis/${id}`, alt: `:${name}:`, title: `:${name}:`, draggable: "false" });
}

/** An emoji beside a label, which says all by itself. */
export function besideLabel(emoji, cls) {
  return h("span", { class: cls ?? "", "aria-hidden": "true" }, emoji.id ? picture(emoji) : emoji.name);
}

const CHARACTERS = /(\p{RGI_Emoji}|\p{Regional_Indicator})/v;

/** A text whose emojis are elements, so that they can have a width of their own. */
export function withEmojis(text) {
  return text.split(CHARACTERS).map((part, i) => i % 2 ? h("span", { class: "character-emoji", text: part }) : part);
}
