import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairIdOf } from '../../../domain/shared/ids.ts'
import { uuidFrom } from '../../../eventstore/ids.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { listOwing } from '../../../projections/engine/owed/owed.ts'
import { loadConfig } from '../../../server/config.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { sent } from '../../projections/engine-rig.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { Fleet } from '../deploy/fleet.ts'

const WRITTEN = 300
const PIECE = 20
let world: World
let fleet: Fleet
beforeAll(async () => {
  const roles = new Set([...loadConfig({}).roles].filter((role) => role !== 'projector' && role !== 'reactors'))
  world = await startWorld({ web: false, config: { roles } })
  const { log, database } = world.stores
  const masterKey = world.secrets.masterKey.toString('hex')
  fleet = new Fleet(world.core.storage.pool, { log, database, masterKey, piece: PIECE })
  await fleet.start(1)
  await fleet.start(1)
})
afterAll(async () => {
  await fleet.stop()
  await world.stop()
})

async function writtenMany(who: Person, other: Person): Promise<void> {
  await world.match(who, other)
  const stream = `pair-${pairIdOf(who.id, other.id)}`
  const { log, codec, storage } = world.core
  const events = Array.from({ length: WRITTEN }, (_, at) => sent(who.id, other.id, at + 1))
  const ids = events.map((_, at) => uuidFrom(stream, at))
  const meta = { commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: who.id }
  const last = (await log.read(stream)).at(-1)!.revision
  await log.append(stream, last, await codec.encode(stream, events, ids, meta))
  await world.settled()
  await storage.pool.query(`create function app.slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.01); return new; end $$`)
  await storage.pool.query(`create trigger slow before update on p_conversations_v${conversations.version}.message
    for each row execute function app.slow()`)
}

test('an erasure in pieces is certified behind the last of them, also where those who make them die', async () => {
  const { core, product } = world
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await writtenMany(ann, bea)
  const left = async () =>
    (await core.storage.pool.query('select from read.message where from_member = $1 and text is not null', [ann.id]))
      .rowCount!
  const certificates = async () =>
    (await core.log.read(`member-${ann.id}`)).filter(({ type }) => type === 'ErasureCertified').length
  const erase = () => eraseAccount(erasingOf({ ...product, now: () => new Date() }, 'admin:test'), ann.id)
  await expect(erase()).rejects.toThrow('Tables of conversations are behind, being filled, or not empty yet')
  for (const rows of [WRITTEN - PIECE, WRITTEN / 2]) {
    await until('a piece is made', async () => (await left()) <= rows)
    expect([await listOwing(core.storage.pool), await certificates()]).toEqual([['conversations'], 0])
    await fleet.killHolder()
  }
  await until('the erasure is through', () => erase().catch(() => null), 30_000)
  expect([await left(), await listOwing(core.storage.pool), await certificates()]).toEqual([0, [], 1])
  expect(fleet.counted.handovers).toBe(2)
})
