import type { RemixHandler } from '../remix.ts'

/** What is answered without a page of its own. */
const RAW: readonly (readonly [RegExp, string])[] = [
  [/^\/media\//, '/media/:id'],
  [/^\/assets\//, '/assets/:file'],
  [/^\/(csp-report|healthz|readyz)$/, '/$1'],
  [/^\/dev\/mailbox/, '/dev/mailbox'],
]

/** The pattern of what has an address, never the address itself; null where nothing has it. */
export function routeOf(pathname: string, { routeOf: pageOf }: RemixHandler): string | null {
  for (const [own, pattern] of RAW) {
    const [found] = own.exec(pathname) ?? []
    if (found !== undefined) return found.replace(own, pattern)
  }
  return pageOf?.(pathname) ?? null
}
