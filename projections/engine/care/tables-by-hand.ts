import type pg from 'pg'
import type { Projection } from '../../projection.ts'
import { inState, listTargets, schemaOf, type Target } from '../checkpoints.ts'
import { fillVerifyAndSwap, type RebuildDeps, type Rebuilt } from '../rebuild.ts'
import { belongs, listNotedAlone, logEndOf, setBackBehind } from '../set-back.ts'
import { isOfOthers, removeAsIs, takesUp } from '../targets.ts'
import { isTaken } from '../transaction.ts'
import { alone, withRebuildLock } from './rebuild-lock.ts'

/** There is nothing to do it with; the message names what there is. */
export class NotPossible extends Error {
  override name = 'NotPossible'
}

/** The tables that a rebuild of this code filled and left. */
export const findFilled = async (pool: pg.Pool, projection: Projection): Promise<Target | undefined> =>
  filledOf(await listTargets(pool, projection.name), projection)

const filledOf = (targets: readonly Target[], { version }: Projection): Target | undefined =>
  targets.find((one) => one.state === 'filling' && one.version === version)

/** Brings tables that a rebuild filled and left to where live is, and makes readers see them, whatever they hold. */
export async function swapFilled(deps: RebuildDeps, projection: Projection): Promise<Rebuilt> {
  return alone(deps, projection.name, async (own) => {
    const { targets, end } = await listNotedAlone(own.pool, own.log, projection.name)
    const filling = filledOf(targets, projection)
    if (!filling)
      throw new NotPossible(`There are no filled tables of ${projection.name} to swap in. See rebuild --no-swap.`)
    if (!belongs(filling, end))
      throw new NotPossible(`The filled tables of ${projection.name} were filled from another log.`)
    return fillVerifyAndSwap({ ...own, projection }, filling, { whatever: true, poison: 'as-live' })
  })
}

/**
 * Makes readers see the tables again that they saw before, once those are caught up with the log by this code; poisonous events
 * are quarantined, as in live. What they see meanwhile goes on, and is what the next rollback goes back to. One that fails or is
 * killed leaves them as they were but further on, and the next one resumes.
 */
export async function rollback(deps: RebuildDeps, projection: Projection): Promise<Rebuilt> {
  const { name, version } = projection
  return alone(deps, name, async (own) => {
    const { targets, end } = await listNotedAlone(own.pool, own.log, name)
    const [retired] = targets.filter(({ state }) => state === 'retired').sort((a, b) => +b.updatedAt - +a.updatedAt)
    if (!retired)
      throw new NotPossible(`There are no earlier tables of ${name}: the one before live is all that is kept.`)
    if (retired.version !== version)
      throw new NotPossible(
        `The earlier tables of ${name} are of version ${retired.version}, and this code feeds version ${version}. ` +
          `Start the product of version ${retired.version} and roll back with it.`,
      )
    if (!belongs(retired, end)) throw new NotPossible(`The earlier tables of ${name} were filled from another log.`)
    return fillVerifyAndSwap({ ...own, projection }, retired, { whatever: true, poison: 'quarantined' })
  })
}

/** Removes the tables of a projection that nobody reads, or only those being filled; answers their schemas. */
export async function dropUnread(pool: pg.Pool, name: string, only?: 'filling'): Promise<string[]> {
  return withRebuildLock(pool, name, async () => {
    const unread = (await listTargets(pool, name)).filter(({ state }) => (only ? state === only : state !== 'live'))
    const gone: string[] = []
    for (const target of unread) {
      const removal = removeAsIs(pool, target).catch((error: unknown) => {
        if (isTaken(error)) throw new NotPossible(`Somebody reads ${schemaOf(target)}. Try again once they have ended.`)
        throw error
      })
      if (await removal) gone.push(schemaOf(target))
    }
    return gone
  })
}

/** What a rebuild would do. */
export type Plan = {
  readonly does: 'nothing' | 'fills new tables' | 'resumes tables begun'
  readonly why: string | null
  readonly live: Target | null
  readonly begun: Target | null
  readonly goes: readonly string[]
}

/** Nothing is written. */
export async function planRebuild(
  { pool, log }: Pick<RebuildDeps, 'pool' | 'log'>,
  projection: Projection,
): Promise<Plan> {
  const targets = await listTargets(pool, projection.name)
  const end = await logEndOf(log)
  const live = inState(targets, 'live') ?? null
  const filling = inState(targets, 'filling')
  const isGone = filling && (await setBackBehind(pool, log, [filling], end)).length > 0
  const isOwn = filling?.version === projection.version && belongs(filling, end) && !isGone
  const begun = isOwn && (await takesUp(pool, filling, live ?? undefined)) ? filling : null
  const isNewer = (target: Target | null | undefined) => (target?.version ?? 0) > projection.version
  const isNeeded = live?.version !== projection.version || !belongs(live, end)
  const isKept = filling && isNewer(filling) && (await isOfOthers(pool, filling, { isNeeded }))
  const newer = isNewer(live) ? `version ${live?.version}, of newer code, is live` : null
  const why = newer ?? (isKept ? `version ${filling.version}, of newer code, is begun` : null)
  const goes = filling && !begun && !why ? [schemaOf(filling)] : []
  const does = why ? 'nothing' : begun ? 'resumes tables begun' : 'fills new tables'
  return { does, why, live, begun, goes }
}
