/** Of the router, as far as it is needed. */
type Router = { subscribe(changed: () => void): () => void }

/**
 * Loads the scripts of the pages and forms that the page leads to, whenever the browser has nothing else to do. Without
 * network they are there then: a script that cannot be loaded is answered by loading the page anew, which ends on a page
 * of the browser's own, and takes what was typed. Returns what ends it.
 */
export function loadAhead(router: Router): (() => void) | undefined {
  if (isDear()) return undefined
  const known = new Set<string>()
  let isPlanned = false
  const load = () => {
    isPlanned = false
    for (const address of linkedScripts()) if (!known.has(address)) preload(address, known)
  }
  const plan = () => {
    if (isPlanned) return
    isPlanned = true
    whenIdle(load)
  }
  plan()
  return router.subscribe(plan)
}

/** Whether the member saves data, or the network is so slow that what they ask for would wait. */
function isDear(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } }
  return connection?.saveData === true || connection?.effectiveType === 'slow-2g'
}

/** Of the routes that the page has heard of: its own, and those that it leads to. */
function linkedScripts(): string[] {
  return Object.values(window.__remixManifest.routes).flatMap((route) =>
    route ? [route.module, ...(route.imports ?? [])] : [],
  )
}

/** A script that does not come is tried again another time. */
function preload(address: string, known: Set<string>): void {
  known.add(address)
  const link = document.createElement('link')
  Object.assign(link, { rel: 'modulepreload', href: address })
  link.onerror = () => {
    known.delete(address)
    link.remove()
  }
  document.head.append(link)
}

const whenIdle = (work: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: 2_000 }) : setTimeout(work, 1)
