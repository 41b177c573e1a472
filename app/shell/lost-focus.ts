/**
 * Nobody has the focus, or the page or its heading, where it goes when nothing better is there yet. A dialog that just closed
 * keeps it until the page is drawn again.
 */
export function isFocusLost(): boolean {
  const focused = document.activeElement
  return (
    !focused ||
    focused === document.body ||
    focused.matches('#main, main h1') ||
    focused.closest('dialog:not([open])') !== null
  )
}
