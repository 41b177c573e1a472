import { afterEach, beforeEach, expect, test } from 'vitest'
import { addJob } from '../../../../services/jobs/add-job.ts'
import { until } from '../../../support/until.ts'
import { unzip } from '../../export/archive.ts'
import { keepFromFilling, rolesBut, type SetBackWorld, startSetBackWorld } from './set-back-world.ts'

let rig: SetBackWorld
let kept: Awaited<ReturnType<typeof keepFromFilling>>
beforeEach(async () => {
  rig = await startSetBackWorld()
})
afterEach(async () => {
  await kept.letGo()
  await rig.stop()
})

const EXPORT = 'exportbehindasetback0001'

test('a copy that a member has asked for waits for read models of a log that was set back', async () => {
  const { world } = rig
  const ann = await world.member('Ann')
  await world.edit(ann, { bio: 'What the log has' })
  await world.settled()
  const before = await world.core.log.head()
  for (const bio of ['Lost', 'Lost too', 'Lost as well']) await world.edit(ann, { bio })
  await world.settled()
  await rig.setBack(before)
  kept = await keepFromFilling(rig.pool, 'profiles')
  await rig.pool.query(
    `insert into app.data_export (id, member, state, asked_at, due_at) values ($1, $2, 'preparing', now(), now())`,
    [EXPORT, ann.id],
  )
  const { services, core, showsLog } = await rig.start(rolesBut())
  await addJob(core.storage.app, 'export', { export: EXPORT })
  const jobs = () =>
    rig.pool.query(`select run_at > created_at as later from job.jobs where key = $1`, [`export:${EXPORT}`])
  await until('it was looked at', async () => (await jobs()).rows[0]?.later)
  const stateOf = async () => (await services.exports.find(ann.id, EXPORT))?.state
  expect([showsLog(), await stateOf()]).toEqual([false, 'preparing'])

  await kept.letGo()
  await until('it is ready', async () => (await stateOf()) === 'ready', 30_000)
  const { body } = (await services.exports.open(ann.id, EXPORT))!
  const files = await unzip(Buffer.from(await new Response(body as never).arrayBuffer()))
  const profile = String(files.get('profile.json'))
  expect(profile).toContain('What the log has')
  expect(profile).not.toContain('Lost')
})
