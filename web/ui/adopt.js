// The style of modules that are loaded after the first paint: it comes with them.

/** @param {string} rules */
export function adopt(rules) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
}
