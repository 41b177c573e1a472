import { randomUUID } from 'node:crypto'
import type { Clock } from '../services/clock.ts'
import { createLimits } from '../services/limits/limits.ts'
import type { Ports, Services } from '../usecases/ports.ts'
import type { Core } from './core.ts'

/** What use cases may reach where no request brings it: for sockets, tools and the demo world. */
export function createPorts(core: Core, services: Services, now: Clock): Ports {
  return {
    ...services,
    dispatch: core.dispatch,
    note: core.dispatch,
    loadState: core.loadState,
    isRepeat: core.isRepeat,
    read: core.storage.read,
    history: core.history,
    readModels: () => core.readModels(now),
    now,
    requestId: randomUUID(),
    // Work of this machine itself.
    ip: '127.0.0.1',
  }
}

/** The same for a tool, which no rate slows down. */
export function createToolPorts(core: Core, services: Services, now: Clock): Ports {
  return { ...createPorts(core, services, now), limits: createLimits({ db: core.storage.app, off: true }) }
}
