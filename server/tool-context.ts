import { randomUUID } from 'node:crypto'
import type { RequestContext } from '../app/request/context.server.ts'
import type { Clock } from '../services/clock.ts'
import { createLimits } from '../services/limits/limits.ts'
import type { Services } from '../usecases/ports.ts'
import type { Core } from './core.ts'

/** What a tool's own commands run in: nobody is signed in, and no rate holds it back. */
export function createToolContext(core: Core, services: Services, now: Clock): RequestContext {
  return {
    ...services,
    limits: createLimits({ db: core.storage.app, off: true }),
    dispatch: core.dispatch,
    note: core.dispatch,
    loadState: core.loadState,
    read: core.storage.read,
    history: core.history,
    readModels: () => core.readModels(now),
    now,
    requestId: randomUUID(),
    nonce: '',
    ip: '127.0.0.1',
    behind: false,
    shown: null,
    viewer: async () => null,
    bearer: async () => null,
    written: () => undefined,
  }
}
