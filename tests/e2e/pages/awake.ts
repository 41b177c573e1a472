import type { Page, Response } from 'playwright'

const ORDINARY_WAIT_MS = 30_000

/** Whether React has the page: then keys, drags and clicks reach it as in the hand of a member who looks before acting. */
const isAwake = () => {
  if (!('__remixContext' in window)) return true
  const key = Object.keys(document).find((name) => name.startsWith('__reactContainer$'))
  type Container = { stateNode: { current: { memoizedState: { isDehydrated: boolean } } } }
  const container = key && (document as unknown as Record<string, Container>)[key]
  return Boolean(container && !container.stateNode.current.memoizedState.isDehydrated)
}

/** Resolves once the page's script runs, with its first effects; at once where a page has none. */
async function awake(page: Page): Promise<void> {
  await page.waitForFunction(isAwake, undefined, { timeout: ORDINARY_WAIT_MS })
  await page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => done(), { timeout: 1_000 })))
}

/** The same page, of which `goto` and `reload` end when it is awake. */
export function waitsUntilAwake(page: Page): Page {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  const then = async (load: Promise<Response | null>) => {
    const response = await load
    await awake(page)
    return response
  }
  page.goto = (...args) => then(goto(...args))
  page.reload = (...args) => then(reload(...args))
  return page
}
