/**
 * Nobody has the focus, or the page as a whole, where it goes when nothing better is there yet. A dialog that just closed
 * keeps it until the page is drawn again.
 */
export function isFocusLost(): boolean {
  const focused = document.activeElement
  return (
    !focused || focused === document.body || focused.id === 'main' || focused.closest('dialog:not([open])') !== null
  )
}
