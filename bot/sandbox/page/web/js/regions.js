// F6 goes from one part of the page to the next, Shift+F6 back.

import { $ } from "./dom.js";
import { composer } from "./composer.js";

const visible = (el) => !el.inert && el.checkVisibility({ visibilityProperty: true });

function enter(region) {
  if (region.id === "composer") return composer.focus();
  if (region.id === "log") {
    const stops = region.querySelectorAll('[data-row][tabindex="0"]');
    (stops[stops.length - 1] ?? region).focus();
    return;
  }
  (region.querySelector('[aria-current="page"]') ?? region.querySelector('button, [tabindex="0"]') ?? region).focus();
}

export function startRegions() {
  document.addEventListener("keydown", (e) => {
    if (e.key !== "F6" || document.querySelector("dialog[open]")) return;
    e.preventDefault();
    const regions = ["channels", "log", "composer", "people", "drawer"].map($).filter(visible);
    const at = regions.findIndex((r) => r.contains(document.activeElement));
    const step = e.shiftKey ? -1 : 1;
    enter(regions[at < 0 ? (e.shiftKey ? regions.length - 1 : 0) : (at + step + regions.length) % regions.length]);
  });
}
