import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../services/log.ts'
import { createQueue } from '../../services/queue.ts'
import { PASSWORD } from '../support/newcomers.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

/** One password at a time. */
const turns = createQueue(1)
const lines: string[] = []
let world: World
beforeAll(async () => {
  const logger = createLogger({ level: 'error', destination: { write: (line) => void lines.push(line) } })
  world = await startWorld({ rateLimits: true, logger, hashTurns: turns })
})
afterAll(() => world?.stop())

/** Takes the one place at which a password is compared, until `end`. */
function busy() {
  const ended = new EventEmitter()
  const over = turns(() => once(ended, 'end'))
  return {
    end() {
      ended.emit('end')
      return over
    },
  }
}
const tries = async () => (await world.core.storage.pool.query('select from app.login_guard')).rows.length
const sessionsOf = async ({ id }: Person) =>
  (await world.core.storage.pool.query('select from app.session where member = $1', [id])).rows.length

const byCall = (email: string, signal: AbortSignal) =>
  world.api('/auth/login', { method: 'POST', body: JSON.stringify({ email, password: PASSWORD }), signal })
const byPage = (email: string, signal: AbortSignal) =>
  world.page('/login', { method: 'POST', body: new URLSearchParams({ email, password: PASSWORD }), signal })

test.each([
  ['a call', byCall],
  ['a page', byPage],
] as const)('%s whose sender leaves before its turn signs nobody in; who waits is signed in', async (_, send) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const before = { ann: await sessionsOf(ann), bea: await sessionsOf(bea), tries: await tries() }
  const leaves = new AbortController()
  const ahead = busy()
  const left = send(ann.email, leaves.signal)
  const stays = send(bea.email, new AbortController().signal)
  await until('both wait', async () => (await tries()) === before.tries + 2)
  leaves.abort()
  await expect(left).rejects.toThrow()
  // Answered after the server has heard that the other connection is closed.
  await world.page('/healthz')
  await ahead.end()
  expect((await stays).status).toBeLessThan(400)
  expect([await sessionsOf(ann), await sessionsOf(bea)]).toEqual([before.ann, before.bea + 1])
  expect(lines).toEqual([])
})
