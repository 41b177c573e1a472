import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairIdOf } from '../../../domain/shared/ids.ts'
import { fromLater } from '../../eventstore/later-release.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let [ann, bea] = [{}, {}] as [Person, Person]
beforeAll(async () => {
  world = await startWorld()
  ;[ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const stream = `pair-${pairIdOf(ann.id, bea.id)}`
  const { length } = await world.core.log.read(stream, 0)
  await world.core.log.append(stream, length - 1, [fromLater()])
})
afterAll(() => world.stop())

const AWAY = 'LetsBuzz is not answering right now. Please try again in a moment.'

test('a call on what a later release wrote answers 503 with when to try again', async () => {
  const body = JSON.stringify({ id: randomUUID(), text: 'Anybody?' })
  const answer = await world.api(`/chat/${bea.id}/messages`, { method: 'POST', as: ann, body })
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5'])
  expect(await answer.json()).toMatchObject({ error: AWAY })
})

test('a form comes back with what was typed', async () => {
  const body = new URLSearchParams({ intent: 'send', id: randomUUID(), text: 'Tea at five' })
  const answer = await world.page(`/chat/${bea.id}`, { method: 'POST', as: ann, body })
  expect(answer.status).toBe(503)
  const page = await answer.text()
  expect(page).toContain(AWAY)
  expect(page).toContain('Tea at five')
})

test('the product is not ready, so that a proxy asks another process', async () => {
  const answer = await fetch(new URL('/readyz', world.publicUrl))
  expect(answer.status).toBe(503)
})
