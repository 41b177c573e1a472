import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSeals } from '../../../eventstore/chain/seals.ts'
import { masterKeyId } from '../../../server/keys/master-keys.ts'
import { rotateMasterKey } from '../../../server/tools/keys/rotate.ts'
import { createFileStore } from '../../../services/media/store.ts'
import { startChainRig } from '../../eventstore/chain-rig.ts'
import { runIn } from '../../support/fresh-database.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { runTool, runToolHere } from '../../support/tool.ts'
import { environmentOf, startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

const next = randomBytes(32)

function environment(more: Record<string, string> = {}) {
  const env = environmentOf(world)
  const old = { MASTER_KEY: next.toString('base64'), MASTER_KEY_OLD: env.MASTER_KEY! }
  return { ...env, ...old, DATA_DIR: world.dataDir, ...more }
}

test('the tool asks for the key before, and for every process to know the new one', async () => {
  await world.member('Ann')
  const without = await runToolHere('admin', ['rotate-master-key'], { ...environment(), MASTER_KEY_OLD: '' })
  expect([without.code, without.err]).toEqual([2, expect.stringContaining('the one before as MASTER_KEY_OLD')])
  const same = { MASTER_KEY_OLD: next.toString('base64') }
  const twice = await runToolHere('admin', ['rotate-master-key'], environment(same))
  expect([twice.code, twice.err]).toEqual([
    2,
    expect.stringContaining('MASTER_KEY and MASTER_KEY_OLD are the same key'),
  ])
  const beside = await runToolHere('admin', ['rotate-master-key'], environment())
  expect([beside.code, beside.err]).toEqual([1, expect.stringContaining('start them again with it as MASTER_KEY_NEXT')])
})

test('it says how far it is and when the old key may be forgotten, and ends with 1 where something stays unread', async () => {
  const { secrets } = world
  await world.product.stop()
  const { database } = world.stores
  const damage = (text: string) => runIn(database, `update app.subject_key set wrapped = ${text} where wrapped <> ''`)
  await damage(
    `'\\x01'::bytea || substring(wrapped from 2 for 59) || set_byte(substring(wrapped from 61), 0, 1 # get_byte(wrapped, 60))`,
  )
  const unread = await runTool('admin', ['rotate-master-key'], environment())
  expect(unread.code).toBe(1)
  expect(unread.out).toMatch(/cannot be read under any of the keys[\s\S]*subject_key [\s\S]*may not be forgotten yet/)
  await damage(`substring(wrapped from 1 for 60) || set_byte(substring(wrapped from 61), 0, 1 # get_byte(wrapped, 60))`)
  const done = await runToolHere('admin', ['rotate-master-key'], environment())
  expect([done.code, done.err]).toEqual([0, expect.stringContaining('100 %')])
  expect(done.out).toContain(`Nothing here is under ${masterKeyId(secrets.masterKey)} any more`)
  expect(done.out).toContain('Backups made until now want it')
  const before = await runToolHere('admin', ['roles'], { ...environment(), ...environmentOf(world) })
  expect([before.code, before.err]).toEqual([1, expect.stringContaining('was taken out of use')])
  const after = await runToolHere('admin', ['roles'], environment({ MASTER_KEY_OLD: '' }))
  expect(after).toMatchObject({ code: 0, out: 'Nobody has a role.\n' })
}, 120_000)

test('the hash chain holds under both keys while it changes, and under the new one alone afterwards', async () => {
  const rig = await startChainRig()
  await rig.write('member-ann', 3)
  await rig.seal()
  rig.clock(new Date(Date.now() + 86_400_000))
  await rig.seal()
  const store = createFileStore(join(tempDir(), 'media'), { own: 'own', isLeft: () => false })
  const keys = [next, rig.masterKey] as const
  const [both, alone] = [createSeals(keys), createSeals(next)]
  expect(await rig.verify({}, { seals: both })).toMatchObject({ ok: true })
  expect(await rig.verify({}, { seals: alone })).toMatchObject({ ok: false })
  expect(await rotateMasterKey({ pool: rig.pool, keys, store })).toMatchObject({ unreadable: [] })
  expect(await rig.verify({}, { seals: alone })).toMatchObject({ ok: true, events: 3 })
  expect((await rig.verify({}, { seals: alone })).days).toHaveLength(1)
  await rig.stop()
})
