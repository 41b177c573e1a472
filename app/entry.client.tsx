import { RemixBrowser } from '@remix-run/react'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { fetchAgain, hushLostReads } from './live/fetch-again.ts'

/**
 * Resolves when the page's data is read. Until then RemixBrowser throws the promise of it, before its first hook: React
 * cannot wait for one in a root that a key or a click asks to wake at once ("Root did not complete").
 */
async function dataRead(): Promise<void> {
  try {
    RemixBrowser({})
  } catch (reading) {
    await reading
  }
}

window.fetch = fetchAgain(window.fetch.bind(window), () => window.__remixRouter?.state)
window.addEventListener('unhandledrejection', hushLostReads)
await dataRead()
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  )
})
