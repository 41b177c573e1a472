import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { START } from '../../../domain/shared/recorded.ts'
import { createBackup } from '../../../server/tools/backup/create.ts'
import { restoreBackup } from '../../../server/tools/backup/restore.ts'
import { connected } from '../../../server/tools/backup/snapshot.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { randomId } from '../../../services/random-id.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { emptyTarget, sourceOf, startOn, type Target } from './rig.ts'

let world: World
let ann: Person
let bea: Person
const folder = makeTempDir('letsbuzz-rehearsals-')
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  world = await startWorld({ web: false })
  ann = await world.member('Ann')
  bea = await world.member('Bea')
  await world.settled()
  await createBackup(sourceOf(world), at('one'))
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

async function target(): Promise<Target> {
  const made = await emptyTarget(world)
  onTestFinished(() => made.drop())
  return made
}

test('a rehearsal notes nothing that the backup still owed the log, of which a member would be mailed', async () => {
  const { pool } = world.core.storage
  const notDue = `insert into app.owed_command (id, member, what, at, due_at)
    values ('one', $1, '{"type":"NoteNewDevice"}', now(), 'infinity')`
  await pool.query(notDue, [ann.id])
  await createBackup(sourceOf(world), at('owing-the-log'))
  await pool.query('delete from app.owed_command')
  const empty = await target()
  await restoreBackup(empty, at('owing-the-log'))
  expect(await rowsIn(empty, 'select id from app.owed_command')).toEqual([{ id: 'one' }])
  await restoreBackup({ ...empty, force: true, notify: false }, at('owing-the-log'))
  expect(await rowsIn(empty, 'select id from app.owed_command')).toEqual([])
})

test('a rehearsal mails nobody of the restore, not even what an earlier one owes', async () => {
  const empty = await target()
  await restoreBackup(empty, at('one'))
  await restoreBackup({ ...empty, force: true, notify: false }, at('one'))
  const { rows } = await connected(empty.app, (app) => app.query('select from app.restore_notice'))
  expect(rows).toEqual([])
})

/** A copy of one's data that was ready when the backup was made. */
const addReadyExport = (to: Pick<Target, 'app'>, member: Person) =>
  connected(to.app, (app) =>
    app.query(
      `insert into app.data_export (id, member, state, asked_at, due_at, bytes, ready_at, expires_at)
       values ($1, $2, 'ready', now(), now(), 10, now(), now() + interval '2 days')`,
      [randomId(), member.id],
    ),
  )

const erasing = () => erasingOf({ ...world, now: () => new Date() }, 'system')
const rowsIn = (one: Target, text: string) => connected(one.app, async (app) => (await app.query(text)).rows)
const MAILS = 'select "to", subject from app.mailbox order by id'
const EXPORTS = 'select member, state from app.data_export'

test('a rehearsal makes no copy anew for somebody who has met a member who was erased since', async () => {
  const [cid, dot] = [await world.member('Cid'), await world.member('Dot')]
  await world.match(cid, dot)
  await world.settled()
  await addReadyExport({ app: world.stores.database }, dot)
  await createBackup(sourceOf(world), at('before'))
  await eraseAccount(erasing(), cid.id)
  const made = await emptyTarget(world, sourceOf(world).ledger)
  onTestFinished(() => made.drop())
  await restoreBackup({ ...made, notify: false }, at('before'))
  const before = await rowsIn(made, MAILS)
  const restored = await startOn(made, world)
  onTestFinished(restored.stop)
  expect([await rowsIn(made, EXPORTS), await rowsIn(made, MAILS)]).toEqual([[], before])
})

test('nor for somebody who has met a member whose erasure was under way in the backup', async () => {
  const [eva, fay] = [await world.member('Eva'), await world.member('Fay')]
  await world.match(eva, fay)
  await world.settled()
  await eraseAccount(erasing(), eva.id)
  const owed = `reactor = 'finish-erasure' and stream = 'member-${eva.id}'`
  await until('the erasure is through', async () => {
    const query = `select state from app.reactor_effect where ${owed}`
    return (await connected(world.stores.database, (app) => app.query(query))).rows[0]?.state === 'done'
  })
  await createBackup(sourceOf(world), at('erased'))
  const owing = await target()
  await restoreBackup(owing, at('erased'))
  await addReadyExport(owing, fay)
  await rowsIn(owing, `update app.reactor_effect set state = 'owed', tries = 0, due_at = now() where ${owed}`)
  await createBackup({ ...sourceOf(world), ...owing }, at('under way'))
  const empty = await target()
  await restoreBackup({ ...empty, notify: false }, at('under way'))
  const before = await rowsIn(empty, MAILS)
  const restored = await startOn(empty, world)
  onTestFinished(restored.stop)
  await until('the erasure is through', async () => {
    const [effect] = await rowsIn(empty, `select state, tries from app.reactor_effect where ${owed}`)
    return effect?.state === 'done' && effect.tries > 0
  })
  expect([await rowsIn(empty, EXPORTS), await rowsIn(empty, MAILS)]).toEqual([[], before])
})

/** What the mails of an ordinary life owe: a copy that is ready, one in the making, a reactor's effect, and its checkpoint. */
async function oweMails(to: Target): Promise<void> {
  const {
    id: event_id,
    position,
    stream,
    revision,
  } = (await world.core.log.readAll(START, 5_000)).find(({ type }) => type === 'MemberRegistered')!
  await connected(to.app, async (app) => {
    await app.query(
      `insert into app.data_export (id, member, state, asked_at, due_at, mail_owed)
       values ('ready', $1, 'ready', now(), now(), true), ('making', $2, 'preparing', now(), now(), false)`,
      [ann.id, bea.id],
    )
    for (const reactor of ['mail-when-password-changed', 'finish-erasure'])
      await app.query(
        'insert into app.reactor_effect (reactor, event_id, position, stream, revision) values ($1, $2, $3, $4, $5)',
        [reactor, event_id, position, stream, revision],
      )
    await app.query(`update app.reactor set position = $1 where name like 'mail-%'`, [START])
  })
}

test('a rehearsal mails nobody what the backup owed', async () => {
  const owing = await target()
  await restoreBackup(owing, at('one'))
  await oweMails(owing)
  await createBackup({ ...sourceOf(world), ...owing }, at('owing'))
  const empty = await target()
  await restoreBackup({ ...empty, notify: false }, at('owing'))
  const read = (text: string) => connected(empty.app, async (app) => (await app.query(text)).rows)
  expect(await read('select reactor, state from app.reactor_effect where tries = 0 order by reactor')).toEqual([
    { reactor: 'finish-erasure', state: 'owed' },
    { reactor: 'mail-when-password-changed', state: 'given-up' },
  ])
  expect(await read('select id, state from app.data_export')).toEqual([])
  expect(await read('select name from app.reactor')).toEqual([{ name: 'finish-erasure' }])
  const mails = 'select "to", subject from app.mailbox order by id'
  const before = await read(mails)
  const restored = await startOn(empty, world)
  onTestFinished(restored.stop)
  await until('the effect that is kept was tried', async () => {
    const kept = await read(`select state, reason from app.reactor_effect where reactor = 'finish-erasure'`)
    return kept[0]!.state === 'done' || kept[0]!.reason !== null
  })
  expect(await read(mails)).toEqual(before)
})
