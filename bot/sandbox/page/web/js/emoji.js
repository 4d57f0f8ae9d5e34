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
