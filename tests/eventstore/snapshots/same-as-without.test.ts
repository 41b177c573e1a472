import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memberDecider } from '../../../domain/identity/member.ts'
import { inboxDecider } from '../../../domain/inbox/decider.ts'
import { pairDecider } from '../../../domain/pair/decider.ts'
import type { Decider } from '../../../domain/shared/decider.ts'
import { type MemberId, pairIdOf } from '../../../domain/shared/ids.ts'
import { appTemplate } from '../../support/templates/app.ts'
import { as, member, type Rig, startRig } from '../rig.ts'
import { inboxCommand, lives, memberCommand, pairCommand, type Step } from './commands.ts'

const EVERY = 5
const RUNS = 2
let rig: Rig
beforeAll(async () => {
  rig = await startRig(appTemplate)
})
afterAll(() => rig.stop())

type Make<C> = (step: Step, n: number, members: readonly [MemberId, MemberId]) => C

/** The outcomes of all, each by one of three processes that remember nothing, and the state at the end. */
async function live<C extends { at: Date }, S>(
  decider: Decider<C, never, S, string>,
  make: Make<C>,
  { steps, every }: { steps: readonly Step[]; every?: number },
) {
  const run = randomUUID()
  const members = [member(`${run} ann`), member(`${run} bea`)].sort() as [MemberId, MemberId]
  const processes = [1, 2, 3].map(() => rig.process({ ...(every && { every }), cacheWeight: 0 }))
  const done: { command: C; context: ReturnType<typeof as> }[] = []
  const outcomes: unknown[] = []
  let rows = 0
  for (const [n, one] of steps.entries()) {
    if (one.what === 'drop' && every) await rig.pool.query('delete from app.snapshot')
    const again = one.what === 'again' ? done[Math.max(0, done.length - 1 - one.back)] : undefined
    const { command, context } = again ?? { command: make(one, n, members), context: as(members[0]) }
    done.push({ command, context })
    const process = processes[n % 3]!
    const outcome = await process.dispatch(decider, command, context)
    await process.snapshots.settled()
    rows = Math.max(rows, (await rig.pool.query('select from app.snapshot')).rowCount ?? 0)
    outcomes.push({ ...outcome, position: undefined, events: outcome.ok && outcome.events.map((event) => bare(event)) })
  }
  const id = decider.category === 'pair' ? pairIdOf(...members) : members[0]
  const state = await processes[0]!.loadState(decider, id)
  await rig.pool.query('delete from app.snapshot')
  const anonymous = (value: unknown) =>
    JSON.stringify(value).replaceAll(members[0], 'first').replaceAll(members[1], 'second')
  return { outcomes: outcomes.map(anonymous), state: JSON.parse(anonymous(state)) as unknown, rows }
}

/** Without what the log adds. */
function bare(event: object) {
  const { id, stream, revision, position, recordedAt, meta, ...fields } = event as Record<string, unknown>
  return fields
}

const deciders = [
  ['a pair', pairDecider, pairCommand],
  ['an inbox', inboxDecider, inboxCommand],
  ['an account', memberDecider, memberCommand],
] as const

test.each(deciders)('%s comes to the same with snapshots as without, whichever are lost', async (_, decider, make) => {
  let used = 0
  await fc.assert(
    fc.asyncProperty(lives, async (steps) => {
      const of = (every?: number) =>
        live(decider as never, make as Make<{ at: Date }>, { steps, ...(every && { every }) })
      const [{ rows, ...own }, { rows: none, ...without }] = [await of(EVERY), await of()]
      expect(own).toEqual(without)
      expect(none).toBe(0)
      used += rows
    }),
    { numRuns: RUNS, seed: 20_260_101, endOnFailure: true },
  )
  expect(used).toBe(RUNS)
})
