import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairIdOf } from '../../domain/shared/ids.ts'
import type { World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { type Served, startServed } from './served.ts'

let served: Served
let world: World
beforeAll(async () => {
  served = await startServed()
  world = served.world
})
afterAll(() => served.stop())

const socketOf = ({ token }: Person) => served.socketOf(token)

async function matched(): Promise<[Person, Person]> {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  return [ann, bea]
}

test('a message by socket is stored before it is acknowledged, and a repeat is the same message', async () => {
  const [ann, bea] = await matched()
  const [a, b] = [await socketOf(ann), await socketOf(bea)]
  const data = { to: bea.id, id: 'first', roomId: pairIdOf(ann.id, bea.id), text: 'Hello' }
  for (const id of ['one', 'two']) {
    a.send({ type: 'direct:message', id, data })
    const ack = await a.next('ack')
    expect(ack.id).toBe(id)
    const stored = await world.core.log.read(`pair-${pairIdOf(ann.id, bea.id)}`)
    expect(stored.filter(({ type }) => type === 'MessageSent').map(({ position }) => position)).toEqual([ack.pos])
  }
  const { data: heard } = await b.event('direct:message')
  expect(heard).toMatchObject({ id: 'first', from: ann.id, text: 'Hello' })
  await b.settled()
  expect(b.events('direct:message')).toHaveLength(1)
})

test('a message to nobody of the room, to oneself, to a stranger or without words is refused in its words', async () => {
  const [ann, bea] = await matched()
  const cat = await world.member('Cat')
  const a = await socketOf(ann)
  const roomId = pairIdOf(ann.id, bea.id)
  const refusalOf = async (data: object) => {
    a.send({ type: 'direct:message', id: 'm', data: { id: 'x', text: 'Hello', ...data } })
    const { error, code } = await a.next('error')
    return [error, code]
  }
  expect(await refusalOf({ to: cat.id, roomId })).toEqual(['Not found', 'not_found'])
  expect(await refusalOf({ to: ann.id, roomId })).toEqual(['Invalid request.', 'invalid'])
  const strangers = { to: cat.id, roomId: pairIdOf(ann.id, cat.id) }
  expect(await refusalOf(strangers)).toEqual(['You need to be matched first!', 'not_matched'])
  expect(await refusalOf({ to: bea.id, roomId, text: ' ' })).toEqual(['Write something first.', 'empty'])
})

test('a text is tidied before it is counted, by socket as by call (api-contract §6.0)', async () => {
  const [ann, bea] = await matched()
  const a = await socketOf(ann)
  const roomId = pairIdOf(ann.id, bea.id)
  const sendText = (id: string, text: string) =>
    a.send({ type: 'direct:message', id, data: { to: bea.id, id, roomId, text } })
  sendText('untidy', ' '.repeat(5_000) + 'x'.repeat(4_000))
  expect(await a.next('ack')).toMatchObject({ id: 'untidy' })
  sendText('long', 'x'.repeat(8_001))
  expect(await a.next('error')).toMatchObject({ for: 'long', code: 'too_long' })
})

test('a message of 4,000 characters is stored, however a program writes them', async () => {
  const [ann, bea] = await matched()
  const a = await socketOf(ann)
  const text = '🙂'.repeat(4_000)
  const data = { to: bea.id, id: 'x'.repeat(64), roomId: pairIdOf(ann.id, bea.id), text }
  const frame = JSON.stringify({ type: 'direct:message', id: 'i'.repeat(64), data })
  a.send(frame.replace(/[^\0-\x7f]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`))
  const { pos } = await a.next('ack')
  const stored = await world.core.log.read(`pair-${data.roomId}`)
  expect(stored.find(({ position }) => position === pos)?.type).toBe('MessageSent')
  expect((await a.event('direct:message')).data.text).toBe(text)
})

test('an id that the other side used is refused as used, and the message stays theirs', async () => {
  const [ann, bea] = await matched()
  const [a, b] = [await socketOf(ann), await socketOf(bea)]
  const roomId = pairIdOf(ann.id, bea.id)
  a.send({ type: 'direct:message', id: 'm', data: { to: bea.id, id: 'mine', roomId, text: 'Mine' } })
  await b.event('direct:message')
  b.send({ type: 'direct:message', id: 'n', data: { to: ann.id, id: 'mine', roomId, text: 'No, mine' } })
  expect(await b.next('error')).toMatchObject({ for: 'n', code: 'reused' })
  await a.settled()
  expect(a.events('direct:message').map(({ data }) => [data.from, data.text])).toEqual([[ann.id, 'Mine']])
})

test('what a message carries is what the contract describes, and numbers count the messages of the two', async () => {
  const contract = await readFile('docs/spec/api-contract.md', 'utf8')
  const described = /^\| direct:message \{(.+)\} \| both participants/m.exec(contract)?.[1]?.split(',') ?? []
  const [ann, bea] = await matched()
  const [a, b] = [await socketOf(ann), await socketOf(bea)]
  const roomId = pairIdOf(ann.id, bea.id)
  a.send({ type: 'direct:message', id: '1', data: { to: bea.id, id: 'one', roomId, text: 'One' } })
  await a.next('ack')
  b.send({ type: 'direct:message', id: '2', data: { to: ann.id, id: 'two', roomId, text: 'Two' } })
  await b.event('direct:message', 2)
  const heard = b.events('direct:message').map(({ data }) => data)
  expect(described.filter((field) => !field.endsWith('?')).sort()).toEqual(Object.keys(heard[0]!).sort())
  expect(described).toContain('media?')
  expect(heard.map(({ text, number }) => [text, number])).toEqual([
    ['One', 1],
    ['Two', 2],
  ])
})

test('a message after a block is refused in the words of one between strangers', async () => {
  const [ann, bea] = await matched()
  const a = await socketOf(ann)
  await world.block(bea, ann)
  a.send({
    type: 'direct:message',
    id: 'm',
    data: { to: bea.id, id: 'late', roomId: pairIdOf(ann.id, bea.id), text: '?' },
  })
  expect(await a.next('error')).toMatchObject({ for: 'm', error: 'You need to be matched first!', code: 'not_matched' })
})

test.each(['deactivated', 'signed out'])('the token of a member who is %s opens no socket', async (how) => {
  const dan = await world.member('Dan')
  if (how === 'deactivated') await world.account(dan, 'Deactivate')
  else await world.services.sessions.revokeAll(dan.id)
  await world.settled()
  const peer = await served.connect()
  peer.send({ type: 'auth', token: dan.token })
  expect(await peer.closed).toBe(4401)
})
