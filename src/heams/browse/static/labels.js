// Keys of a list of label forms: p, f and x label the row in focus, and go on to the next one.
(() => {
  "use strict";
  const KEYS = new Set(["p", "f", "x"]);
  const typing = (element) => element?.closest?.("input, textarea, select");

  document.addEventListener("keydown", (event) => {
    if (!KEYS.has(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (typing(event.target) || document.querySelector("dialog[open]")) return;
    const row = document.activeElement?.closest("[data-label-row]");
    const button = row?.querySelector(`[data-label-key="${event.key}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
    if (event.key !== "x") next(row);
  });

  const next = (row) => {
    const following = row.nextElementSibling?.querySelector("[data-row]");
    if (!following) return;
    following.focus({ preventScroll: true });
    following.closest("[data-label-row]").scrollIntoView({ block: "center" });
  };
})();
