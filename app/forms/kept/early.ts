declare global {
  interface Window {
    /** Forms of this page in which was typed, each with the address it had; gone once they are kept. */
    earlyForms?: Map<HTMLFormElement, string>
  }
}

/**
 * Inline, before any other script: notes the forms in which is typed until the script that keeps them is there, since a
 * sheet may be closed by then, and a page left. One that is sent is not noted. Without the characters that React escapes in a text.
 */
export const NOTE_EARLY =
  'earlyForms=new Map;' +
  'addEventListener(`input`,function(e){var f=e.target.form;if(f)window.earlyForms?.set(f,location.href)},true);' +
  'addEventListener(`submit`,function(e){window.earlyForms?.delete(e.target)},true);'

/** Those of them that have left the page, each with the address it had; from then on none is noted. */
export function takeEarlyForms(): readonly (readonly [HTMLFormElement, string])[] {
  const all = [...(window.earlyForms ?? [])]
  delete window.earlyForms
  return all.filter(([form]) => !form.isConnected)
}
