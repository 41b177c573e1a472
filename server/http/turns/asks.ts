import type { IncomingMessage } from 'node:http'
import { bringsFiles } from '../content-type.ts'
import { isProbe } from './probes.ts'

/** Who asks: from which network, and who was vouched for by a token that the request shows. */
export type Asks = {
  readonly network: string
  readonly holder?: string | undefined
  readonly bringsFiles?: boolean
  readonly isProbe?: boolean
  /** By itself: to be refused it counts nothing. */
  readonly byBrowser?: boolean
}

export const asksOf = (incoming: IncomingMessage, network: string, holder: string | undefined): Asks => ({
  network,
  holder,
  bringsFiles: bringsFiles(incoming),
  isProbe: isProbe(incoming),
  byBrowser: isAskedByBrowsers(incoming),
})

const REPORTS = '/csp-report'
/** Icons, and what a page of an earlier build names. */
const FILE = /^\/(assets\/.+|[^/]+\.(css|ico|js|map|png|svg|txt|webmanifest))$/

/** Whether browsers send it by themselves, however often: to be refused it is nobody's haste. */
export function isAskedByBrowsers({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  const pathname = url.split('?', 1)[0] ?? ''
  if (method === 'POST') return pathname === REPORTS
  return (method === 'GET' || method === 'HEAD') && FILE.test(pathname)
}
