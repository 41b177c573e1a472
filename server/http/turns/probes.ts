import type { IncomingMessage } from 'node:http'
import { bringsBody } from '../early-answer.ts'

/** Asked by address from inside the machine or its orchestrator, under any Host. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** Whether it asks for the health of the process, and brings nothing. */
export const isProbe = (incoming: IncomingMessage): boolean =>
  (incoming.method === 'GET' || incoming.method === 'HEAD') &&
  PROBES.has(incoming.url?.split('?', 1)[0] ?? '') &&
  !bringsBody(incoming)
