import type { Services } from '../../usecases/ports.ts'
import type { World } from '../support/world.ts'

/** Keeps a read model where it is until the answer is called, once or more. */
export async function holdBack({ core }: Pick<World, 'core'>, name: string): Promise<() => Promise<void>> {
  const db = await core.storage.pool.connect()
  await db.query('begin')
  await db.query(`select from app.projection where name = $1 for update`, [name])
  let isBehind = true
  return async () => {
    if (!isBehind) return
    isBehind = false
    await db.query('rollback')
    db.release()
  }
}

type Waiting = Pick<Services, 'caughtUp' | 'upToDate'>

/** The same ways to wait for read models, and how often somebody waited in vain. */
export function countVainWaits({ caughtUp, upToDate }: Waiting): Waiting & { vain: () => number } {
  let vain = 0
  const counted = async (asked: Promise<boolean>) => {
    const shown = await asked
    if (!shown) vain++
    return shown
  }
  return {
    caughtUp: (position, models) => counted(caughtUp(position, models)),
    upToDate: (models) => counted(upToDate(models)),
    vain: () => vain,
  }
}
