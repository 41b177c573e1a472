import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memberDecider } from '../../../domain/identity/member.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import { startLogServer } from '../../../eventstore/embedded/server.ts'
import { fromPosition } from '../../../eventstore/position.ts'
import { listRebuilding, withRebuildLock } from '../../../projections/engine/care/rebuild-lock.ts'
import { type Config, loadConfig } from '../../../server/config.ts'
import { createToolPorts } from '../../../server/ports.ts'
import { createProduct, type Product } from '../../../server/product.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { createLogger } from '../../../services/log.ts'
import { quiet } from '../../../services/quiet-pool.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { ErasureIncomplete } from '../../../usecases/identity/finish-erasure.ts'
import { runIn } from '../../support/fresh-database.ts'
import { until } from '../../support/until.ts'
import { JOB_TIMES, startWorld, type World } from '../../support/world.ts'
import { createPeople } from '../../support/world-people.ts'

type Started = Awaited<ReturnType<typeof startLogServer>>

let world: World
let server: Started
let product: Product | undefined
const rolesBut = (...roles: string[]): Config['roles'] =>
  new Set([...loadConfig({}).roles].filter((one) => !roles.includes(one)))

beforeEach(async () => {
  const startLog = async (given: Parameters<typeof startLogServer>[0]) => {
    server = await startLogServer(given)
    return server
  }
  world = await startWorld({ web: false, startLog })
})
afterEach(async () => {
  await product?.stop()
  product = undefined
  await server.stop()
  await world.stop()
})

/** The product and its log have stopped, and the log is without what came after a position. */
async function setBack(to: Position): Promise<void> {
  await world.product.endSockets()
  await world.product.stop()
  await server.stop()
  await runIn(world.logDatabase, `delete from log.event where position > ${Number(fromPosition(to).commit)}`)
  server = await startLogServer({ database: world.logDatabase })
}

async function start(roles: Config['roles']): Promise<Product> {
  const { stores, config, publicUrl } = world
  const logger = createLogger({ level: 'silent' })
  const given = { stores: { ...stores, log: server.connectionString }, config: { ...config, roles }, publicUrl, logger }
  product = await createProduct({ ...given, now: () => new Date(), jobTimes: JOB_TIMES })
  await product.start()
  return product
}

const erase = (of: Product, member: MemberId) =>
  eraseAccount(erasingOf({ ...of, now: () => new Date() }, 'admin:test'), member)
const erased = (of: Product, member: MemberId) =>
  until('they are erased', () =>
    erase(of, member).then(
      ({ ok }) => ok,
      (error: unknown) => {
        if (error instanceof ErasureIncomplete) return false
        throw error
      },
    ),
  )

test.each([
  ['with a projector', rolesBut('reactors')],
  ['without one', rolesBut('reactors', 'projector')],
])('whoever was erased is so again after the first start %s on a log that was set back', async (_, roles) => {
  const eve = await world.member('Eve')
  const before = await world.core.log.head()
  await erased(world.product, eve.id)
  await setBack(before)
  const { core } = await start(roles)
  expect((await core.loadState(memberDecider, eve.id)).status).toBe('gone')
})

test('the blocks of others are kept of who is erased while tables are made anew after a log was set back', async () => {
  const [eve, fay] = [await world.member('Eve'), await world.member('Fay')]
  const before = await world.core.log.head()
  for (const bio of ['one', 'two', 'three', 'four']) await world.edit(fay, { bio })
  await world.settled()
  await setBack(before)
  let release = () => {}
  const filling = new Promise<void>((resolve) => {
    release = resolve
  })
  const pool = quiet(new pg.Pool(world.stores.database))
  const locked = withRebuildLock(pool, 'histories', () => filling)
  await until('others may not fill it', async () => (await listRebuilding(pool)).has('histories'))
  const again = await start(rolesBut('reactors'))
  const { core, services, projector } = again
  const people = createPeople(
    createToolPorts(core, services, () => new Date()),
    again,
    world.dataDir,
  )
  await until('the others are live', () =>
    projector!.status().every(({ name, state }) => name === 'histories' || state === 'live'),
  )
  await people.block(fay, eve)
  await expect(erase(again, eve.id)).rejects.toThrow('the blocks of others wait')
  expect(await services.credentials.findByMember(eve.id)).not.toBeNull()
  release()
  await locked
  await erased(again, eve.id)
  const { rows } = await pool.query('select member from app.kept_block')
  expect(rows).toEqual([{ member: fay.id }])
  await pool.end()
})
