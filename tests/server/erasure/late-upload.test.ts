import { basename, join, sep } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { isErased } from '../../../services/erased.ts'
import { actingAs } from '../../../usecases/acting.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { buzz } from '../../../usecases/pair/buzz.ts'
import { END, field, file } from '../../services/support/forms.ts'
import { jpeg } from '../../services/support/pictures.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { filesBelow } from './places.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world?.stop())

const erase = ({ id }: Person) => eraseAccount(erasingOf({ ...world.product, now: () => new Date() }, 'admin:test'), id)
const left = ({ id }: Person) => world.services.erasure.look({ member: id, emailKey: null })

/** Files that no row knows. */
async function strays(): Promise<string[]> {
  const rows = await world.core.storage.app.selectFrom('media').select('id').execute()
  const known = new Set(rows.map(({ id }) => id))
  const paths = [...(await filesBelow(join(world.dataDir, 'media'))).keys()]
  return paths
    .filter((path) => !path.includes(`${sep}drafts${sep}`))
    .map((path) => basename(path))
    .filter((id) => !known.has(id))
}

/** Erased when the session is looked at for the second time, which is after the body, and finds it alive. */
function erasedAfterTheBody(who: Person): void {
  const { sessions } = world.services
  const admit = sessions.admit
  let looks = 0
  const spy = vi.spyOn(sessions, 'admit').mockImplementation(async (row) => {
    const session = await admit(row)
    if (++looks === 2) expect(await erase(who)).toMatchObject({ ok: true })
    return session
  })
  onTestFinished(() => spy.mockRestore())
}

const UPLOADS = {
  'a form of a page': { path: '/profile/gallery', parts: [field('intent', 'upload')] },
  'an upload of a page': { path: '/media-upload', parts: [] },
  'an upload by a call': { path: '/api/upload-media', parts: [] },
}

test.each(Object.entries(UPLOADS))('%s that is under way when its member is erased is not stored', async (_, to) => {
  const ann = await world.member('Ann')
  erasedAfterTheBody(ann)
  const body = new Uint8Array(Buffer.concat([...to.parts, file(await jpeg()), END]))
  const headers = {
    'Content-Type': 'multipart/form-data; boundary=b',
    Origin: world.url,
    ...(to.path.startsWith('/api/') ? { Authorization: `Bearer ${ann.token}` } : { Cookie: ann.cookie }),
  }
  const answer = await fetch(`${world.url}${to.path}`, { method: 'POST', headers, body, redirect: 'manual' })
  expect(answer.status).toBe(400)
  expect(await left(ann)).toMatchObject({ left: 0 })
  expect(await strays()).toEqual([])
})

test('whoever is erased does not act, and no position of theirs is stored', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await erase(ann)
  const acting = actingAs(world.context, ann.id)
  const late = await buzz(acting, { to: bea.id, via: 'discover', commandId: world.newCommand() })
  expect(late).toEqual({ ok: false, reason: 'conflict' })
  expect(await world.core.log.read(`pair-${[ann.id, bea.id].sort().join('_')}`)).toEqual([])
  const oslo = { lat: 59.91, lng: 10.75 }
  expect(await world.services.positions.accept(ann.id, oslo)).toEqual({ ok: false, reason: 'nowhere' })
  expect(await world.services.positions.setTown(ann.id, oslo)).toEqual({ ok: false, reason: 'nowhere' })
  expect(await left(ann)).toMatchObject({ left: 0 })
})

test('the key of who is about to own a row is destroyed once the row is there', async () => {
  const ann = await world.member('Ann')
  const { app, pool } = world.core.storage
  await app.transaction().execute(async (tx) => {
    expect(await isErased(tx, ann.id)).toBe(false)
    const other = await pool.connect()
    try {
      await other.query("set lock_timeout = '50ms'")
      const destroying = other.query("update app.subject_key set wrapped = '' where subject = $1", [ann.id])
      await expect(destroying).rejects.toMatchObject({ code: '55P03' })
    } finally {
      other.release(true)
    }
  })
  await world.core.keys.destroy(ann.id)
  expect(await app.transaction().execute((tx) => isErased(tx, ann.id))).toBe(true)
})

test('the sweep takes the files of the erased, attached as they are', async () => {
  const ann = await world.member('Ann')
  const { media } = world.services
  const upload = await media.upload({ owner: { member: ann.id }, purpose: 'photo', file: await jpeg() })
  if (!upload.ok) throw new Error(upload.reason)
  const claim = { id: upload.media.id, purposes: ['photo'] as const }
  expect(await media.attach({ member: ann.id }, [claim])).toHaveLength(1)
  await world.core.keys.destroy(ann.id)
  expect(await media.attach({ member: ann.id }, [claim])).toBeNull()
  await media.sweep()
  expect(await media.list({ member: ann.id })).toEqual([])
  expect(await strays()).toEqual([])
})
