export const SCRIPT_COOKIE_SECONDS = 10

/** A cookie by which a page's own script passes something to the requests that follow. */
export function setScriptCookie(name: '__Host-leaving' | '__Host-live', value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `${name}=${value}; Path=/; Max-Age=${SCRIPT_COOKIE_SECONDS}; SameSite=Strict; Secure`
}
