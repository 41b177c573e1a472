import { afterEach, beforeEach, expect, test } from 'vitest'
import { memberDecider } from '../../../../domain/identity/member.ts'
import { addJob } from '../../../../services/jobs/add-job.ts'
import { until } from '../../../support/until.ts'
import type { Person } from '../../../support/world-people.ts'
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

/** A member, whose last edits the log has lost, and who is in rows of before: nobody fills those anew until it is let go. */
async function annBehindSetBack(): Promise<Person> {
  const { world } = rig
  const ann = await world.member('Ann')
  await world.edit(ann, { bio: 'What the log has' })
  await world.settled()
  const before = await world.core.log.head()
  for (const bio of ['Lost', 'Lost too', 'Lost as well']) await world.edit(ann, { bio })
  await world.settled()
  await rig.setBack(before)
  kept = await keepFromFilling(rig.pool, 'profiles')
  return ann
}

/** A job that comes again later was taken, and did nothing. */
const lookedAt = (key: string) =>
  until('it was looked at', async () => {
    const { rows } = await rig.pool.query(`select run_at > created_at as later from job.jobs where key = $1`, [key])
    return rows.some(({ later }) => later)
  })

test('a copy that a member has asked for waits for read models of a log that was set back', async () => {
  const ann = await annBehindSetBack()
  await rig.pool.query(
    `insert into app.data_export (id, member, state, asked_at, due_at) values ($1, $2, 'preparing', now(), now())`,
    [EXPORT, ann.id],
  )
  const { services, core, showsLog } = await rig.start(rolesBut())
  await addJob(core.storage.app, 'export', { export: EXPORT })
  await lookedAt(`export:${EXPORT}`)
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

test('a mail that an event calls for waits for them as well', async () => {
  const ann = await annBehindSetBack()
  const { core, mailbox, showsLog } = await rig.start(rolesBut())
  const command = { type: 'NotePasswordChange', member: ann.id, how: 'reset', at: new Date() } as const
  await core.dispatch(memberDecider, command, { commandId: rig.world.newCommand(), actor: ann.id })
  await lookedAt('react:mail-when-password-changed')
  const mails = async () => (await mailbox?.list({ to: ann.email }))?.map(({ subject }) => subject)
  expect([showsLog(), await mails()]).toEqual([false, []])

  await kept.letGo()
  await until('it came', async () => (await mails())?.includes('Your LetsBuzz password was changed'), 30_000)
})
