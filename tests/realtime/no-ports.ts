import type { Ports } from '../../usecases/ports.ts'

/** For realtime nodes whose members call no use case by socket: whatever one reaches for fails. */
export const noPorts = new Proxy({} as Ports, {
  get: (_ports, name) => {
    throw new Error(`This node has no ${String(name)}.`)
  },
  ownKeys: () => {
    throw new Error('This node has no ports.')
  },
})
