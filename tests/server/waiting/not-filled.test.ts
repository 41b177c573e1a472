import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { memberDecider } from '../../../domain/identity/member.ts'
import { administer } from '../../../server/tools/admin/commands.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import { ask } from '../export/archive.ts'

const TABLES = ['report', 'history']

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** As in a process that serves before what operators read is filled for the first time. */
const renamed = async (from: string, to: string) => {
  await world.settled()
  for (const table of TABLES)
    await world.core.storage.pool.query(`alter view read.${table}${from} rename to ${table}${to}`)
}
beforeEach(() => renamed('', '_later'))
afterEach(() => renamed('_later', ''))

async function comesAgain(id: string): Promise<boolean> {
  const later = 'select from job.jobs where key like $1 and locked_at is null and run_at > now()'
  return (await world.core.storage.pool.query(later, [`%${id}%`])).rows.length > 0
}

test('a copy of one’s data waits for the read model of reports, and is whole then', async () => {
  const ann = await world.member('Ann')
  const { json } = await ask(world, ann)
  const row = () =>
    world.core.storage.app.selectFrom('data_export').selectAll().where('id', '=', json.id).executeTakeFirstOrThrow()
  await until('its job comes again', () => comesAgain(json.id))
  expect(await row()).toMatchObject({ state: 'preparing', tries: 0 })
  await renamed('_later', '')
  await world.hurryJobs()
  await until('it is ready', async () => (await row()).state === 'ready', 30_000)
  await renamed('', '_later')
})

test('auditors hear that it is a matter of a moment, and operators which tool shows how far it is', async () => {
  const bea = await world.member('Bea')
  const command = { type: 'GrantRole', member: bea.id, role: 'auditor', by: 'admin:test', at: new Date() } as const
  await world.core.dispatch(memberDecider, command, { commandId: world.services.newId(), actor: 'admin:test' })
  const page = await world.page(`/audit/${bea.id}`, { as: bea })
  expect([page.status, page.headers.get('Retry-After')]).toEqual([503, '5'])
  expect(await page.text()).toContain('Please try again in a moment.')
  for (const words of [['reports'], ['roles']])
    await expect(administer(world.product, { words, yes: false })).rejects.toThrow('npm run projections')
})
