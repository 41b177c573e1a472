/**
 * Asks again for the page's stylesheets that did not come, as without network: a browser itself asks once for each that it
 * has a link to.
 */
export function loadSheetsAgain(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (!link.sheet) link.setAttribute('href', link.href)
}
