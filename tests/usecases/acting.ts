import { randomUUID } from 'node:crypto'
import { actingAs } from '../../usecases/acting.ts'
import type { Acting } from '../../usecases/ports.ts'
import type { World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

/** A member who acts in the world, by no request. */
export const as = (world: World, { id }: Person): Acting => actingAs(world.context, id)

/** The same once every rate is used up, but that of looking whether it is a repeat. */
export function tooFast(world: World, person: Person): Acting {
  const take: Acting['limits']['take'] = async (rate) =>
    rate === 'REPEAT' ? { ok: true } : { ok: false, retryInMs: 1_000 }
  const acting = as(world, person)
  return { ...acting, limits: { ...acting.limits, take } }
}

export const newCommand = () => randomUUID()
export const SLOW_DOWN = { ok: false, reason: 'slow-down', retryInMs: 1_000 }
