import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, hours } from '../../../domain/shared/dates.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { archiveOf } from '../../../server/tools/export/archive.ts'
import { EXPORT_MS, LEASE_MS, TRIES } from '../../../services/export/work.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { RECENT_MS } from '../../../usecases/identity/prove.ts'
import { PASSWORD } from '../../support/newcomers.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { ask, download, look, unzip } from './archive.ts'

let world: World
let clock = new Date('2026-03-01T12:00:00Z')
beforeAll(async () => {
  world = await startWorld({ rateLimits: true, now: () => clock })
}, 180_000)
afterAll(() => world?.stop())

const db = () => world.core.storage.app
const fileOf = (id: string) => join(world.dataDir, 'exports', `${id}.zip`)
const stateOf = async (as: Person, id: string) => (await world.services.exports.find(as.id, id))?.state
const ready = (as: Person, id: string) =>
  until('the export is ready', async () => (await stateOf(as, id)) === 'ready', 30_000)
/** Where a copy that is not there leads to: the same for each reason. */
const GONE = [302, '/settings/export?gone=yes'] as const
const whereTo = async (as: Person, id: string) => {
  const { status, headers } = await download(world, as, id)
  return [status, headers.get('Location')]
}
/** A job as a process leaves it behind. */
async function leftBehind(
  member: Person,
  { dueInMs, tries = 1 }: { dueInMs: number; tries?: number },
): Promise<string> {
  const id = world.services.newId()
  const row = { id, member: member.id, state: 'preparing', asked_at: clock, due_at: addMs(clock, dueInMs), tries }
  await db().insertInto('data_export').values(row).execute()
  await world.hurryJobs()
  return id
}

test('an export is the owner’s alone, announced by one mail, and available for 48 hours', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const { status, json } = await ask(world, ann)
  expect([status, json.state]).toEqual([200, 'preparing'])
  await ready(ann, json.id)
  const last = (await look(world, ann, json.id)).json
  expect(last).toMatchObject({ url: `/account/export/${json.id}`, done: last.total })
  expect((await look(world, bea, json.id)).status).toBe(404)
  expect(await whereTo(bea, json.id)).toEqual(GONE)
  expect(await whereTo(bea, '0123456789abcdefghijklmn')).toEqual(GONE)
  const visitor = await world.page(`/account/export/${json.id}`)
  expect([visitor.status, visitor.headers.get('Location')]).toEqual([302, '/login'])
  const headers = { Authorization: `Bearer ${ann.token}` }
  const byToken = await fetch(`${world.url}/account/export/${json.id}`, { headers })
  expect([byToken.status, byToken.headers.get('Cache-Control')]).toEqual([200, 'private, no-store'])
  expect((await unzip(Buffer.from(await byToken.arrayBuffer()))).has('index.html')).toBe(true)
  await until('the mail is there', () => world.mail(ann.email))
  const mails = (await world.product.mailbox?.list({ to: ann.email })) ?? []
  expect(mails.map(({ subject }) => subject)).toEqual(['The copy of your LetsBuzz data is ready'])
  expect(mails[0]?.text).not.toContain(json.id)

  clock = addMs(clock, EXPORT_MS)
  expect(await whereTo(ann, json.id)).toEqual(GONE)
  expect((await fetch(`${world.url}/account/export/${json.id}`, { headers })).status).toBe(404)
  const page = await world.page(GONE[1], { as: ann })
  expect(await page.text()).toContain('This copy is no longer here. Ask for a new one.')
  expect((await look(world, ann, json.id)).status).toBe(404)
  expect(existsSync(fileOf(json.id))).toBe(true)
  await world.services.exports.sweep()
  expect(existsSync(fileOf(json.id))).toBe(false)
  expect(await db().selectFrom('data_export').selectAll().where('id', '=', json.id).execute()).toEqual([])
})

test('a new copy takes the place of the one before once it is ready, as the page announces', async () => {
  const una = await world.member('Una')
  const first = (await ask(world, una)).json.id
  await ready(una, first)
  await world.services.limits.reset('EXPORT', una.id)
  clock = addMs(clock, RECENT_MS / 3)
  const page = await (await world.page('/settings/export', { as: una })).text()
  expect(page).toContain('Once it is ready, the copy above is deleted.')
  const second = (await ask(world, una)).json.id
  await ready(una, second)
  await until('the copy before is gone', () => !existsSync(fileOf(first)))
  expect(await whereTo(una, first)).toEqual(GONE)
  expect((await download(world, una, second)).status).toBe(200)
})

test('a second one within the day is refused with the wait', async () => {
  const cat = await world.member('Cat')
  expect((await ask(world, cat)).status).toBe(200)
  const { status, json } = await ask(world, cat)
  expect([status, Object.keys(json)]).toEqual([429, ['error', 'retryInMs']])
  expect((json as unknown as { retryInMs: number }).retryInMs).toBeGreaterThan(hours(23))
})

test('who signed in a while ago gives the password', async () => {
  const dan = await world.member('Dan')
  clock = addMs(clock, RECENT_MS + 1)
  const reauth = { status: 403, json: { code: 'reauth', fields: { password: expect.any(String) } } }
  expect(await ask(world, dan)).toMatchObject(reauth)
  expect(await ask(world, dan, { password: 'not-this-one-12' })).toMatchObject(reauth)
  expect((await ask(world, dan, { password: PASSWORD })).status).toBe(200)
})

test('a wrong password is refused also right after signing in', async () => {
  const kim = await world.member('Kim')
  expect((await ask(world, kim, { password: 'not-this-one-12' })).status).toBe(403)
  expect((await world.api('/account/export', { as: kim, method: 'POST' })).status).toBe(200)
})

test('guesses of the password are counted', async () => {
  const eve = await world.member('Eve')
  clock = addMs(clock, RECENT_MS + 1)
  const answers: number[] = []
  for (let guess = 0; guess < 7; guess++) answers.push((await ask(world, eve, { password: `guess-${guess}` })).status)
  expect(answers).toEqual([403, 403, 403, 403, 403, 429, 429])
  expect((await ask(world, eve, { password: PASSWORD })).status).toBe(429)
})

test('a job whose process died is taken up by the next, and not before', async () => {
  const fay = await world.member('Fay')
  const alive = await leftBehind(fay, { dueInMs: LEASE_MS })
  const gus = await world.member('Gus')
  const id = await leftBehind(gus, { dueInMs: -1 })
  await mkdir(join(world.dataDir, 'exports'), { recursive: true })
  await writeFile(fileOf(id).replace('.zip', '.part'), 'half of a zip')
  await ready(gus, id)
  expect((await look(world, fay, alive)).json).toMatchObject({ state: 'preparing', done: 0 })
  clock = addMs(clock, LEASE_MS)
  await world.hurryJobs()
  await ready(fay, alive)
})

test('an export that fails again and again is given up, and may be asked for anew', async () => {
  const hal = await world.member('Hal')
  const { json } = await ask(world, hal)
  await ready(hal, json.id)
  await until('the mail is sent', () => world.mail(hal.email))
  // Where the bytes should go, nothing can be written.
  await rm(fileOf(json.id))
  await mkdir(fileOf(json.id))
  const again = { state: 'preparing', tries: TRIES - 1, due_at: clock, mail_owed: false }
  await db().updateTable('data_export').set(again).where('id', '=', json.id).execute()
  const isGivenUp = async () => {
    // The job that made it may still be on its way out: one that is at work cannot be hurried.
    await world.hurryJobs()
    return (await stateOf(hal, json.id)) === 'failed'
  }
  await until('it is given up', isGivenUp, 20_000)
  expect((await world.services.limits.peek('EXPORT', hal.id)).ok).toBe(true)
  expect(await world.services.exports.open(hal.id, json.id)).toBe(null)
})

test('a stop in the middle of an archive, or before anybody takes its bytes, ends it quietly', async () => {
  const jan = await world.member('Jan')
  const { core, services } = world
  const sources = { ...core.storage, ...core, ...services }
  for (const takeBytes of [true, false])
    for (let files = 0; files < 6; files++) {
      const stop = new AbortController()
      if (!takeBytes && files === 0) stop.abort()
      const archive = archiveOf({ ...sources, member: jan.id, signal: stop.signal }, clock, async (done) => {
        if (done >= files) stop.abort()
      })
      if (takeBytes) archive.stream.resume()
      await expect(archive.done).rejects.toThrow('aborted')
      expect(archive.stream.destroyed).toBe(true)
    }
})

test('an erased member leaves no copy, finished or begun', async () => {
  const ida = await world.member('Ida')
  const { json } = await ask(world, ida)
  await ready(ida, json.id)
  const begun = await leftBehind(ida, { dueInMs: LEASE_MS })
  const parts = { core: world.core, services: world.services, mailbox: world.product.mailbox, now: () => clock }
  expect(await eraseAccount(erasingOf(parts, 'admin:test'), ida.id)).toMatchObject({ ok: true })
  expect(existsSync(fileOf(json.id))).toBe(false)
  expect(await db().selectFrom('data_export').selectAll().where('id', 'in', [json.id, begun]).execute()).toEqual([])
})
