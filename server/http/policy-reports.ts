import { retryAfter } from '../../app/words/unavailable.ts'
import { readUrl } from '../../domain/shared/read-url.ts'
import type { Client } from './client.ts'
import { contentTypeOf, REPORT } from './content-type.ts'
import type { RawHandler } from './handler.ts'

/** What a browser blocked: the rule, and the host it kept away; never a path, which could name a member. */
export type PolicyReport = { directive: string; blocked: string }

const WORD = /^[a-z-]{1,40}/

function hostOf(value: unknown): string {
  if (typeof value !== 'string') return 'unknown'
  return readUrl(value)?.host ?? value.slice(0, 20).replace(/[^a-z-]/g, '')
}

type Deps = {
  readonly onReport: (report: PolicyReport, client: Client) => void
  /** How long the address has to wait before its next report, or null; before anything is read. */
  readonly waitOf: (client: Client) => Promise<number | null>
}

/** Takes the reports of the Content-Security-Policy at `/csp-report`; anybody may send one, so little of it is believed. */
export function policyReports({ onReport, waitOf }: Deps): RawHandler {
  return async (request, client) => {
    if (request.method !== 'POST' || new URL(request.url).pathname !== '/csp-report') return null
    const wait = await waitOf(client)
    if (wait !== null) return new Response(null, { status: 429, headers: { 'Retry-After': retryAfter(wait) } })
    // Of any other kind much more than a report may come.
    if (contentTypeOf(request) !== REPORT) return new Response(null, { status: 415 })
    const text = await request.text()
    try {
      const report = JSON.parse(text)?.['csp-report'] ?? {}
      const directive = WORD.exec(String(report['effective-directive'] ?? report['violated-directive'] ?? ''))?.[0]
      onReport({ directive: directive ?? 'unknown', blocked: hostOf(report['blocked-uri']) }, client)
    } catch {
      return new Response(null, { status: 400 })
    }
    return new Response(null, { status: 204 })
  }
}
