import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkOf } from '../../services/limits/network.ts'
import { createLogger } from '../../services/log.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'
import { PASSWORD, type Person } from '../support/world-people.ts'

const lines: string[] = []
let world: World
beforeAll(async () => {
  const logger = createLogger({ level: 'error', destination: { write: (line) => void lines.push(line) } })
  world = await startWorld({ rateLimits: true, logger })
})
afterAll(() => world?.stop())

const guess = () => world.services.passwords.verifyDummy('guess', networkOf('127.0.0.1'))

/** So many passwords of the same network that stand before the next one, whenever it comes, until `end`. */
function storm(many: number) {
  let goesOn = true
  const one = async () => {
    while (goesOn) await guess()
  }
  const over = Promise.all(Array.from({ length: many }, one))
  return {
    end() {
      goesOn = false
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
  const crowd = storm(200)
  const left = send(ann.email, leaves.signal)
  const stays = send(bea.email, new AbortController().signal)
  await until('both wait', async () => (await tries()) === before.tries + 2)
  leaves.abort()
  await expect(left).rejects.toThrow()
  await crowd.end()
  expect((await stays).status).toBeLessThan(400)
  await Promise.all([guess(), guess(), guess(), guess()])
  expect([await sessionsOf(ann), await sessionsOf(bea)]).toEqual([before.ann, before.bea + 1])
  expect(lines).toEqual([])
})
