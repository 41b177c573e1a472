const LEAVING_SECONDS = 10

/**
 * Other tabs hear of the end of a session before its cookie is gone: this cookie keeps the login from calling it an end that
 * came from elsewhere.
 */
export function markLeaving(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `__Host-leaving=yes; Path=/; Max-Age=${LEAVING_SECONDS}; SameSite=Strict; Secure`
}
