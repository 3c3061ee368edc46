// What every page must have, found in the page itself: names, landmarks, headings, references, contrast. Gives a list
// of faults in words.
() => {
  const faults = [];
  const shown = (element) => element.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true }) && element.getClientRects().length > 0;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const brief = (element) => element.outerHTML.slice(0, 140).replace(/\s+/g, " ");
  const words = (text) => (text || "").replace(/\s+/g, " ").trim();

  // Names.
  const byIds = (ids) => ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent).join(" ");
  const labelOf = (element) => words(element.getAttribute("aria-label") || byIds(element.getAttribute("aria-labelledby") || ""));
  const fieldLabelOf = (element) => labelOf(element) || words([...(element.labels || [])].map((label) => label.textContent).join(" "));
  const inside = (element) => words(element.textContent) || words(element.querySelector("[aria-label]")?.getAttribute("aria-label")) || words(element.querySelector("img[alt]")?.alt);
  const nameOf = (element) => labelOf(element) || inside(element) || words(element.getAttribute("alt") || element.getAttribute("title"));
  for (const element of all("a[href], button, summary, [role=option], svg[role=img], img").filter(shown)) if (!nameOf(element)) faults.push(`no name: ${brief(element)}`);
  for (const element of all("input:not([type=hidden]), select, textarea").filter(shown)) if (!fieldLabelOf(element)) faults.push(`no label: ${brief(element)}`);
  for (const element of all("nav, dialog, [role=region], [role=group]").filter(shown)) if (!labelOf(element)) faults.push(`no label: ${brief(element)}`);
  for (const image of all("svg")) {
    if (image.getAttribute("aria-hidden") !== "true" && !image.getAttribute("role") && !image.closest("[aria-hidden=true], svg svg, [role=img]")) faults.push(`a picture without role: ${brief(image)}`);
  }

  // Landmarks, headings, language.
  for (const [selector, least, most] of [["h1", 1, 1], ["main", 1, 1], ["body > header", 1, 1], ["nav", 1, 99], [".skip[href='#main']", 1, 1]]) {
    const count = all(selector).length;
    if (count < least || count > most) faults.push(`${count} of ${selector}`);
  }
  if (document.documentElement.lang !== "en") faults.push("no language");
  if (!words(document.title)) faults.push("no title");
  let level = 1;
  for (const heading of all("main h1, main h2, main h3, main h4, main h5, main h6").filter(shown)) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) faults.push(`heading ${own} after ${level}: ${brief(heading)}`);
    if (!words(heading.textContent)) faults.push(`empty heading: ${brief(heading)}`);
    level = own;
  }
  const navigations = all("nav").filter(shown).map(labelOf);
  for (const name of new Set(navigations.filter((one, place) => navigations.indexOf(one) !== place))) faults.push(`two navigations named "${name}"`);

  // References and ids.
  const ids = all("[id]").map((element) => element.id);
  for (const id of new Set(ids.filter((one, place) => ids.indexOf(one) !== place))) faults.push(`id twice: ${id}`);
  for (const attribute of ["aria-labelledby", "aria-describedby", "aria-controls", "for"]) {
    for (const element of all(`[${attribute}]`)) {
      for (const id of element.getAttribute(attribute).split(/\s+/)) if (!document.getElementById(id)) faults.push(`${attribute}="${id}" leads nowhere`);
    }
  }

  // Tables, and what is forbidden.
  for (const table of all("table")) if (!table.caption && !table.getAttribute("aria-label")) faults.push(`a table without caption: ${brief(table)}`);
  for (const cell of all("th:not([scope])")) faults.push(`a heading cell without scope: ${brief(cell)}`);
  for (const element of all("*")) { // a screenshot leaves an empty style behind
    if (element.closest("svg[data-chart], .vega")) continue;
    for (const { name, value } of element.attributes) if ((name === "style" && value) || name.startsWith("on")) faults.push(`${name}= on ${brief(element)}`);
  }
  for (const script of all("script:not([src])")) if (words(script.textContent)) faults.push(`an inline script: ${brief(script)}`);
  for (const link of all("[href], [src], [action]")) {
    const address = link.getAttribute("href") || link.getAttribute("src") || link.getAttribute("action") || "";
    if (/^\s*(javascript|vbscript|data:text)/i.test(address)) faults.push(`an active address: ${brief(link)}`);
  }

  // Contrast of every text with what is behind it.
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const seen = new Map();
  const rgba = (colour) => {
    if (!seen.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      seen.set(colour, [r, g, b, a / 255]);
    }
    return seen.get(colour);
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), rgba("canvas"));
  };
  const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const told = new Set();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !shown(element) || element.closest("svg, noscript, script, style, [aria-disabled=true], :disabled, option, .visually-hidden, .toast")) continue;
    const style = getComputedStyle(element);
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    if (opacity === 0) continue; // it appears once it is pointed at, or in focus
    const back = behind(element);
    const colour = rgba(style.color);
    const front = over([...colour.slice(0, 3), colour[3] * opacity], back);
    const [light, dark] = [luminance(front), luminance(back)].sort((one, other) => other - one);
    const contrast = (light + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const least = large ? 3 : 4.5;
    const fault = `contrast ${contrast.toFixed(2)} of "${words(node.textContent).slice(0, 30)}" in ${element.tagName.toLowerCase()}.${element.className}`;
    const kind = `${element.tagName}${element.className}${front}${back}`;
    if (contrast < least - 0.005 && !told.has(kind)) { told.add(kind); faults.push(fault); }
  }
  return faults;
}
