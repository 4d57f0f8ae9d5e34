// The list that a select opens: a dialog with a listbox, filtered by typing.

import { h } from "./dom.js";
import { avatar } from "./avatar.js";
import { showDialog } from "./dialog.js";
import { enableSteps } from "./roving.js";
import { besideLabel } from "./emoji.js";

/**
 * Lets the person choose between min and max of items ({value, label, hint,
 * emoji, person}) beside anchor. Resolves to values, or to null when they think
 * better of it.
 */
export function openPicker(anchor, { label, items, min, max, chosen }) {
  return new Promise((resolve) => {
    const picked = new Set(chosen.filter((v) => items.some((i) => i.value === v)));
    const multiple = max > 1;
    const options = items.map((item) => h("div", {
      class: "picker-item", role: "option", tabindex: "-1", "aria-selected": String(picked.has(item.value)), data: { value: item.value },
    },
      item.person ? avatar(item.person, 24) : item.emoji ? besideLabel(item.emoji) : null,
      h("span", { class: "picker-text" }, h("span", { text: item.label }), item.hint && h("span", { class: "muted", text: item.hint })),
      // One choice is made by taking it: there is nothing to tick.
      (multiple || min === 0) && h("span", { class: "picker-check", "aria-hidden": "true" })));
    const list = h("div", { class: "picker-list", role: "listbox", "aria-label": label, "aria-multiselectable": multiple ? "true" : undefined }, options);
    const done = h("button", { type: "button", class: "button button-primary", text: "Done", onclick: () => finish([...picked]) });
    const empty = items.length === 0 && h("p", { class: "muted picker-empty", text: "There is nothing to choose." });
    const dialog = h("dialog", { class: "picker", "aria-label": label }, list, empty, multiple || min === 0 ? h("div", { class: "picker-foot" }, done) : null);
    let result = null;

    function finish(values) {
      result = values;
      dialog.close();
    }
    function update() {
      for (const o of options) o.setAttribute("aria-selected", String(picked.has(o.dataset.value)));
      done.disabled = picked.size < min || picked.size > max;
    }
    function choose(option) {
      const { value } = option.dataset;
      if (!multiple && min > 0) return finish([value]);
      if (picked.has(value)) picked.delete(value);
      else if (!multiple) { picked.clear(); picked.add(value); }
      else if (picked.size < max) picked.add(value);
      update();
    }
    function move(to) {
      options[to]?.focus();
    }
    list.addEventListener("click", (e) => {
      const option = e.target.closest("[role=option]");
      if (option) choose(option);
    });
    enableSteps(list, () => options, { ArrowDown: 1, ArrowUp: -1 });
    let typed = "", timer = 0;
    list.addEventListener("keydown", (e) => {
      const index = options.indexOf(document.activeElement);
      if (e.key === "Enter" || e.key === " ") {
        e.preventDefault();
        if (index >= 0) choose(options[index]);
      } else if (e.key.length === 1 && !e.ctrlKey && !e.metaKey) {
        clearTimeout(timer);
        timer = setTimeout(() => { typed = ""; }, 700);
        typed += e.key.toLowerCase();
        move(items.findIndex((i) => i.label.toLowerCase().startsWith(typed)));
      }
    });
    dialog.addEventListener("close", () => {
      anchor.setAttribute("aria-expanded", "false");
      resolve(result);
    });
    anchor.setAttribute("aria-expanded", "true");
    showDialog(dialog, { beside: anchor, back: anchor });
    update();
    move(Math.max(0, items.findIndex((i) => picked.has(i.value))));
  });
}
