import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pauseProjection, resumeProjection } from '../../../projections/engine/care/pause.ts'
import { profiles } from '../../../projections/profiles/project.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const json = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) })

test('a member whose profile is not shown yet is asked to try again, and not to log in', async () => {
  const { pool } = world.core.storage
  await pauseProjection(pool, 'profiles')
  try {
    const cat = await world.join('Cat')
    await world.product.caughtUp(await world.core.log.head(), ['accounts'])
    const answers = [
      await world.api('/users/me', { as: cat }),
      await world.api('/auth/login', json({ email: cat.email, password: cat.password })),
      await world.page('/profile', { as: cat }),
    ]
    for (const { status, headers } of answers) {
      expect(status).toBe(503)
      expect(headers.has('Retry-After')).toBe(true)
    }
    await resumeProjection(pool, 'profiles')
    await world.settled()
    expect((await world.api('/users/me', { as: cat })).status).toBe(200)
  } finally {
    await resumeProjection(pool, 'profiles')
  }
})

test('whoever is erased while their call runs is asked to log in', async () => {
  const [eva, { pool }] = [await world.member('Eva'), world.core.storage]
  const table = `p_profiles_v${profiles.version}.profile`
  const erasing = await pool.connect()
  await erasing.query(`begin; lock table ${table} in access exclusive mode`)
  const asked = world.api('/users/me', { as: eva })
  const waits = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%profile%'"
  await until('the call waits for the profile', async () => (await pool.query(waits)).rowCount)
  await world.services.sessions.revokeAll(eva.id)
  await erasing.query(`delete from ${table} where member = '${eva.id}'; commit`)
  erasing.release()
  const answer = await asked
  expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'Login required' }])
})

test('the read of a message of somebody who was erased a moment ago is unknown at once', async () => {
  const [ann, bea, id] = [await world.member('Ann'), await world.member('Bea'), randomUUID()]
  await world.match(ann, bea)
  await world.sendMessage(bea, ann, 'Hello!', id)
  await world.settled()
  const names = ['relations', 'conversations', 'profiles', 'accounts']
  for (const name of names) await pauseProjection(world.core.storage.pool, name)
  await eraseAccount({ ...world.context, actor: 'admin:test', requestId: randomUUID() } as never, bea.id).catch(
    () => null,
  )
  await world.core.keys.destroy(bea.id)
  const read = await world.api(`/chat/${bea.id}/read`, { as: ann, ...json({ upTo: id }) })
  for (const name of names) await resumeProjection(world.core.storage.pool, name)
  expect(read.status).toBe(404)
  await world.settled()
})
