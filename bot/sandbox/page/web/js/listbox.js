// A list of suggestions that belongs to an input: arrows choose, Enter or Tab
// takes, Escape closes. The focus stays in the input.

import { h, newId } from "./dom.js";
import { avatar } from "./avatar.js";
import { alert, say } from "./announce.js";

export class Listbox {
  #items = [];
  #active = -1;
  #open = false;
  #said = "";

  /**
   * host holds the popup. onTake(item) is told what was chosen.
   */
  constructor({ host, label, onTake }) {
    this.onTake = onTake;
    this.id = newId("list");
    this.title = h("div", { class: "suggest-title" });
    this.list = h("div", { class: "suggest-list", role: "listbox", id: this.id, "aria-label": label });
    this.note = h("div", { class: "suggest-note" });
    this.box = h("div", { class: "suggest", hidden: true }, this.title, this.list, this.note);
    // A press must not take the focus from the input.
    this.box.addEventListener("pointerdown", (e) => e.preventDefault());
    this.box.addEventListener("click", (e) => {
      const option = e.target.closest("[role=option]");
      if (option) this.#take(Number(option.dataset.index));
    });
    this.box.addEventListener("pointermove", (e) => {
      const option = e.target.closest("[role=option]");
      if (option && e.movementX + e.movementY !== 0) this.#setActive(Number(option.dataset.index), false);
    });
    host.append(this.box);
  }

  /** Ties the list to the input that has the focus. */
  attach(input) {
    this.hide(); // from the input before
    this.input = input;
    input.setAttribute("aria-autocomplete", "list");
    // A text area of several lines may not be a combobox, and is spoken well without.
    if (input.matches("input")) input.setAttribute("role", "combobox");
    this.#expand(false);
    input.setAttribute("autocomplete", "off");
  }

  /**
   * Shows items: {label, hint, detail, person, mark}. active is the index chosen at
   * first, -1 for none. note stands below, or alone when there is nothing; it is said once,
   * and at once if something went wrong.
   */
  show(items, { active = 0, title = "", note = "", wrong = false } = {}) {
    if (note && note !== this.#said) (wrong ? alert : say)(note);
    this.#said = note;
    this.#items = items;
    this.title.textContent = title;
    this.note.textContent = note;
    this.title.hidden = !title;
    this.note.hidden = !note;
    this.list.replaceChildren(...items.map((item, i) => h("div", {
      class: "suggest-item", role: "option", id: `${this.id}-${i}`, data: { index: String(i) }, "aria-selected": "false",
    },
      item.person ? avatar(item.person, 24) : item.mark ? h("span", { class: "suggest-mark", "aria-hidden": "true" }, item.mark) : null,
      h("span", { class: "suggest-label", text: item.label }),
      item.detail && h("span", { class: "suggest-detail", text: item.detail }),
      item.hint && h("span", { class: "suggest-hint", text: item.hint }))));
    this.list.hidden = items.length === 0;
    this.#open = items.length > 0 || note !== "";
    this.box.hidden = !this.#open;
    this.#expand(items.length > 0);
    if (items.length > 0) this.input?.setAttribute("aria-controls", this.id);
    else this.input?.removeAttribute("aria-controls");
    this.#setActive(Math.min(active, items.length - 1));
  }

  hide() {
    this.#items = [];
    this.#active = -1;
    this.#open = false;
    this.#said = "";
    this.box.hidden = true;
    this.#expand(false);
    this.input?.removeAttribute("aria-activedescendant");
    this.input?.removeAttribute("aria-controls");
  }

  #expand(yes) {
    if (this.input?.matches("input")) this.input.setAttribute("aria-expanded", String(yes));
  }

  #setActive(index, scroll = true) {
    this.list.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
    this.#active = index;
    const el = this.list.children[index];
    if (!el) {
      this.input?.removeAttribute("aria-activedescendant");
      return;
    }
    el.setAttribute("aria-selected", "true");
    this.input?.setAttribute("aria-activedescendant", el.id);
    if (scroll) el.scrollIntoView({ block: "nearest" });
  }

  #take(index) {
    const item = this.#items[index];
    if (item) this.onTake(item);
  }

  /** Handles a key of the input and reports whether it was for the list. */
  key(e) {
    if (!this.#open || e.isComposing) return false;
    const count = this.#items.length;
    switch (e.key) {
      case "ArrowDown":
        if (count) this.#setActive((this.#active + 1) % count);
        return true;
      case "ArrowUp":
        if (count) this.#setActive((this.#active - 1 + count) % count);
        return true;
      case "PageDown":
        if (count) this.#setActive(Math.min(this.#active + 6, count - 1));
        return true;
      case "PageUp":
        if (count) this.#setActive(Math.max(this.#active - 6, 0));
        return true;
      case "Enter":
        if (this.#active < 0 || e.shiftKey) return false;
        this.#take(this.#active);
        return true;
      case "Tab":
        if (e.shiftKey || count === 0) return false;
        this.#take(Math.max(this.#active, 0));
        return true;
      case "Escape":
        this.hide();
        return true;
    }
    return false;
  }
}
