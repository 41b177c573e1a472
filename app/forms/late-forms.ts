const CAME = 'form:came'

/** For a part with a form that is loaded on demand, once it is on the page: what was typed there before is written back. */
export const reportLateForms = (): unknown => window.dispatchEvent(new Event(CAME))

/** Calls the handler whenever forms came to the page later than the page itself; answers what ends that. */
export function onLateForms(handler: () => void): () => void {
  window.addEventListener(CAME, handler)
  return () => window.removeEventListener(CAME, handler)
}
