import type { Page } from 'playwright'

/** Resolves once the page has the scripts of these routes, such as `routes/chat`: without network it can lead there. */
export const loadedAhead = (page: Page, ...routes: readonly string[]) =>
  page.waitForFunction(
    (names) =>
      names.every((name) => {
        const script = window.__remixManifest.routes[name]?.module
        return script && performance.getEntriesByName(new URL(script, location.href).href).length > 0
      }),
    routes,
  )
