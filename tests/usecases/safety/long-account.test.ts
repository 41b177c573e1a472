import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memberDecider } from '../../../domain/identity/member.ts'
import { SessionId } from '../../../domain/shared/ids.ts'
import { createDispatch } from '../../../eventstore/dispatch.ts'
import { idFrom } from '../../../eventstore/ids.ts'
import type { Log } from '../../../eventstore/log.ts'
import { createSnapshots } from '../../../eventstore/snapshots/snapshots.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { block } from '../../../usecases/pair/block.ts'
import { report } from '../../../usecases/safety/report.ts'
import { suspendAccount } from '../../../usecases/safety/suspend-account.ts'
import { PASSWORD } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, newCommand } from '../acting.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

const ENDED = 1_000
/** More events than this follow no snapshot. */
const FEW = 250

/** Notes of sessions that ended, as many sign-ins and sign-outs leave them. */
async function lengthen({ id }: Person): Promise<void> {
  const { log, codec } = world.core
  const stream = `member-${id}`
  const [last] = (await log.read(stream)).slice(-1)
  const stored = Array.from({ length: ENDED }, async (_, n) => {
    const ended = {
      type: 'SessionsRevoked' as const,
      member: id,
      sessions: [SessionId.parse(idFrom('ended', n))],
      at: new Date(),
    }
    const commandId = randomUUID()
    const meta = { commandId, correlationId: commandId, causationId: commandId, actor: id }
    return (await codec.encode(stream, [ended], [randomUUID()], meta))[0]!
  })
  await log.append(stream, last!.revision, await Promise.all(stored))
}

/** A process that has nothing in memory, and how many events of the account it has read. */
function startCold({ id }: Person) {
  const { log, codec, keys, storage } = world.core
  let count = 0
  const counting: Log = {
    ...log,
    async read(stream, ...where) {
      const events = await log.read(stream, ...where)
      if (stream === `member-${id}`) count += events.length
      return events
    },
    async *pages(stream, ...where) {
      for await (const page of log.pages(stream, ...where)) {
        if (stream === `member-${id}`) count += page.length
        yield page
      }
    },
  }
  const snapshots = createSnapshots({ pool: storage.pool, log: counting })
  const { dispatch, loadState } = createDispatch({ log: counting, codec, keys, snapshots })
  return { ports: { dispatch, note: dispatch, loadState }, snapshots, read: () => count }
}

async function longAccount(name: string): Promise<Person> {
  const person = await world.member(name)
  await lengthen(person)
  const first = startCold(person)
  await first.ports.loadState(memberDecider, person.id)
  await first.snapshots.settled()
  expect(first.read()).toBeGreaterThan(ENDED)
  return person
}

const ways = {
  report: async (by: Person, { id }: Person, ports: object) =>
    report({ ...as(world, by), ...ports }, { target: id, reason: 'Rude', commandId: newCommand() }),
  block: async (by: Person, { id }: Person, ports: object) =>
    block({ ...as(world, by), ...ports }, { target: id, commandId: newCommand() }),
  'sign-in': async (_by: Person, { email }: Person, ports: object) =>
    logIn({ ...world.context, ...ports }, { email, password: PASSWORD, label: 'A test' }),
  suspend: async (_by: Person, { id }: Person, ports: object) =>
    suspendAccount({ ...world.context, ...ports, actor: 'admin:test' }, id, 'Rude'),
}

test('an account with a long history is reported, blocked, signed in to and suspended by reading little of it', async () => {
  const ann = await world.member('Ann')
  const bea = await longAccount('Bea')
  for (const [name, way] of Object.entries(ways)) {
    const cold = startCold(bea)
    expect(await way(ann, bea, cold.ports), name).toMatchObject({ ok: true })
    expect(cold.read(), name).toBeLessThan(FEW)
    await cold.snapshots.close()
  }
  expect((await world.core.loadState(memberDecider, bea.id)).status).toBe('suspended')
})
