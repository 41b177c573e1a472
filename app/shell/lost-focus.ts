/** Nobody has the focus. A dialog that just closed still holds it until the page is drawn again. */
export function isFocusLost(): boolean {
  const focused = document.activeElement
  return !focused || focused === document.body || focused.closest('dialog:not([open])') !== null
}
