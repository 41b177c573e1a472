import { expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createMediaRemoval } from '../../../services/media/removal.ts'
import { WORKER_LIMITS } from '../../../services/media/workers/limits.ts'
import { createTurns, type Turns } from '../../../services/media/workers/turns.ts'
import { createMediaWorkers } from '../../../services/media/workers/workers.ts'
import { randomId } from '../../../services/random-id.ts'
import { mediaProgram } from '../../support/programs/media-program.ts'
import { openable } from '../../support/servers/openable.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { until } from '../../support/until.ts'
import { appDatabase } from '../support/app.ts'
import { mediaIn } from '../support/media.ts'
import { jpeg } from '../support/pictures.ts'

const app = appDatabase()
const A_DAY = 86_400_000
/** Less than a stop may take in all. */
const SOON_MS = 3_000

/** Notes what waits and what begins. */
function watched() {
  const turns = createTurns(WORKER_LIMITS)
  const seen = { asked: 0, begun: 0 }
  const inTurn: Turns['inTurn'] = (uploader, work, rules) => {
    seen.asked += 1
    const begin = () => {
      seen.begun += 1
      return work()
    }
    return turns.inTurn(uploader, begin, rules)
  }
  return { turns: { ...turns, inTurn }, seen }
}

/** A picture that owes all its forms, and what makes them in these turns. */
async function owing(turns: Turns) {
  const ended: string[] = []
  const workers = createMediaWorkers({ program: mediaProgram(), turns, onEnded: (by) => ended.push(by) })
  const { media } = mediaIn(tempDir(), app, workers)
  const owner = { member: randomId() as MemberId }
  const uploaded = await media.upload({ owner, purpose: 'photo', file: await jpeg(1600, 2000) })
  if (!uploaded.ok) throw new Error(uploaded.reason)
  const { id } = uploaded.media
  await app.db.deleteFrom('media_form').execute()
  const state = () =>
    app.db.selectFrom('media').select(['forms', 'forms_tries']).where('id', '=', id).executeTakeFirst()
  const formsOf = () => app.db.selectFrom('media_form').selectAll().where('media', '=', id).execute()
  return { media, workers, state, formsOf, ended }
}

test('forms that wait behind slow files are left for later at once where the program stops', async () => {
  const { turns, seen } = watched()
  const { media, workers, state } = await owing(turns)
  const gate = openable()
  const slow = Array.from({ length: WORKER_LIMITS.workers }, (_, n) => turns.inTurn(`sender ${n}`, () => gate.opened))
  const stop = new AbortController()
  const before = seen.asked
  const deriving = media.deriveForms({ signal: stop.signal })
  await until('they wait', () => seen.asked > before)
  const since = performance.now()
  stop.abort()
  await deriving
  expect(performance.now() - since).toBeLessThan(SOON_MS)
  expect(await state()).toEqual({ forms: 'owed', forms_tries: 0 })
  gate.open()
  await Promise.all(slow)
  await workers.stop()
})

test('forms that are being made are left for later at once where the program stops, and that is no crash', async () => {
  const { turns, seen } = watched()
  const { media, workers, state, formsOf, ended } = await owing(turns)
  const before = seen.begun
  const stop = new AbortController()
  const deriving = media.deriveForms({ signal: stop.signal })
  await until('they are being made', () => seen.begun > before)
  stop.abort()
  await deriving
  expect([await state(), await formsOf()]).toEqual([{ forms: 'owed', forms_tries: 0 }, []])
  expect(ended).toEqual([])
  await workers.stop()
})

test('a sweep of many files ends with the file at which the program stops', async () => {
  await app.db.deleteFrom('media').execute()
  const { store, now } = mediaIn(tempDir(), app)
  now.pass(Date.now() - now().getTime())
  for (let n = 0; n < 20; n++) await store.write(randomId(), Buffer.from('stray'))
  now.pass(A_DAY + 60_000)
  const stop = new AbortController()
  const remove = async (id: string) => {
    stop.abort()
    await store.remove(id)
  }
  const stopping = createMediaRemoval({ db: app.db, now, store: { ...store, remove } })
  expect(await stopping.sweep(stop.signal)).toBe(1)
  expect(await createMediaRemoval({ db: app.db, now, store }).sweep()).toBe(19)
})
