/** An answer that takes longer is none. */
const LEAVING_MS = 30_000

declare global {
  interface Window {
    /** When the browser itself began to send a form of this page, by its own clock; 0 once the page is back. */
    formSentAt?: number
  }
}

/**
 * Inline, before any other script: notes a form that the browser sends itself, as it does until the page is awake. A form that
 * the page's script sends has been stopped by then. Without the characters that React escapes in a text.
 */
export const NOTE_LEAVING =
  'addEventListener(`submit`,function(e){e.defaultPrevented||(formSentAt=performance.now())});' +
  'addEventListener(`pageshow`,function(e){if(e.persisted)formSentAt=0})'

/** Whether the answer to such a form is about to take the place of this page. */
export function isLeaving(): boolean {
  return Boolean(window.formSentAt) && performance.now() - Number(window.formSentAt) < LEAVING_MS
}
