import { useEffect } from 'react'

/** Has the browser keep a page for when there is no network, and the fonts that it is written in. */
export function useOfflinePage(): void {
  useEffect(() => void register(), [])
}

async function register(): Promise<void> {
  const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined
  try {
    await worker?.register('/service-worker.js')
    const { active } = (await worker?.ready) ?? {}
    const fonts = [...document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=font]')].map(({ href }) => href)
    active?.postMessage({ fonts })
  } catch {
    // A browser without one shows a page of its own.
  }
}
