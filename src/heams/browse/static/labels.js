// Keys of a list of label forms: p, f and x label the row in focus, or the first one without a label; p and f go on.
(() => {
  "use strict";
  const KEYS = new Set(["p", "f", "x"]);
  const typing = (element) => element?.closest?.("input, textarea, select");

  document.addEventListener("keydown", (event) => {
    if (!KEYS.has(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (typing(event.target) || document.querySelector("dialog[open]")) return;
    const row = document.activeElement?.closest("[data-label-row]") ?? waiting();
    const button = row?.querySelector(`[data-label-key="${event.key}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
    if (event.key !== "x") next(row);
  });

  // A label that was given shows its Clear button.
  const waiting = () => document.querySelector('[data-label-row]:not(:has([data-label-key="x"]))');

  const next = (row) => {
    const following = row.nextElementSibling?.querySelector("[data-row]");
    if (!following) return;
    following.focus({ preventScroll: true });
    following.closest("[data-label-row]").scrollIntoView({ block: "center" });
  };
})();
