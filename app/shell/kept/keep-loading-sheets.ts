import { loadSheetsAgain } from '../../ui/feedback/sheets-again.ts'

const AGAIN_AFTER_MS = 5_000

/**
 * Has stylesheets that do not come asked for again, for as long as the page is open: in a while, and at once when the
 * browser is online again. Returns what ends it.
 */
export function keepLoadingSheets(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const isSheet = (target: EventTarget | null) => target instanceof HTMLLinkElement && target.rel === 'stylesheet'
  const failed = ({ target }: Event) => {
    if (!isSheet(target)) return
    clearTimeout(timer)
    timer = setTimeout(loadSheetsAgain, AGAIN_AFTER_MS)
  }
  loadSheetsAgain()
  // Of a link this event does not bubble.
  document.addEventListener('error', failed, true)
  window.addEventListener('online', loadSheetsAgain)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('error', failed, true)
    window.removeEventListener('online', loadSheetsAgain)
  }
}
