import { createPublicKey, verify } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSegments } from '../../eventstore/chain/heads.ts'
import { type ChainRig, startChainRig } from './chain-rig.ts'

let rig: ChainRig
beforeEach(async () => {
  rig = await startChainRig()
  for (const stream of ['member-ann', 'member-bea', 'member-cem']) {
    await rig.write(stream, 2)
    await rig.seal()
  }
})
afterEach(() => rig.stop())

const DAY_MS = 86_400_000
const tomorrow = () => rig.clock(new Date(Date.now() + DAY_MS))
const kinds = async () => (await rig.verify()).problems

test('a forged head is named, whichever part of it is not the sealed one', async () => {
  const forged = { kind: 'head-forged', seq: 2, after: 2, last: 4 }
  const { rows } = await rig.forge('select * from app.chain_segment where seq = 2')
  for (const column of ['head', 'prev', 'content', 'listing', 'mac']) {
    await rig.forge(`update app.chain_segment set ${column} = sha256(${column}) where seq = 2`)
    expect(await kinds(), column).toEqual([forged])
    await rig.forge(`update app.chain_segment set ${column} = $1 where seq = 2`, [rows[0][column]])
  }
  expect(await kinds()).toEqual([])
})

test('whoever changes an event and seals it anew without the key is found out', async () => {
  await rig.tamper('update log.event set data = set_byte(data, 9, 65) where position = 3')
  const [, second] = await readSegments(rig.pool)
  await rig.forge('delete from app.chain_segment where seq = 2')
  await rig.forge(
    `insert into app.chain_segment (seq, after, last, events, day, prev, content, listing, head, mac, packed)
     values (2, 2, 4, 2, $1, $2, sha256('new'), sha256('new'), sha256('new'), sha256('new'), '')`,
    [second?.day, second?.prev],
  )
  expect(await kinds()).toEqual([{ kind: 'head-forged', seq: 2, after: 2, last: 4 }])
})

test('missing heads are named, and the others still hold', async () => {
  await rig.forge('delete from app.chain_segment where seq in (1, 2)')
  expect(await kinds()).toEqual([{ kind: 'head-missing', seq: 1, to: 2 }])
})

test('a listing that was altered names no event, but its span', async () => {
  await rig.tamper('update log.event set data = set_byte(data, 9, 65) where position = 3')
  await rig.forge(`update app.chain_segment set packed = sha256(packed) where seq = 2`)
  expect(await kinds()).toEqual([{ kind: 'unnamed', seq: 2, after: 2, last: 4 }])
})

test('the end of a day is signed once, and anyone with the public key can check it', async () => {
  tomorrow()
  const both = await Promise.all([rig.seal(), rig.seal()])
  const days = both.flatMap((one) => one.days)
  expect(days).toHaveLength(1)
  const [{ day, seq, last, events, head, signature }] = days as [(typeof days)[number]]
  expect({ seq, last, events }).toEqual({ seq: 3, last: 6, events: 6 })
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(rig.seals.publicKey, 'base64').toString('base64url') }
  const text = `letsbuzz chain day 1|${day}|${seq}|${last}|${events}|${head.toString('hex')}`
  expect(verify(null, Buffer.from(text), createPublicKey({ key: jwk, format: 'jwk' }), signature)).toBe(true)
})

test('a day that was forged is named, and heads cut off behind a signed day are missed', async () => {
  tomorrow()
  const [day] = (await rig.seal()).days
  await rig.forge('delete from app.chain_segment where seq = 3')
  await rig.tamper('delete from log.event where position > 4')
  expect(await kinds()).toEqual([{ kind: 'head-missing', seq: 3, to: 3 }])
  await rig.forge('update app.chain_day set events = events - 1')
  expect(await kinds()).toEqual([{ kind: 'day-forged', day: day?.day }])
})

test('no segment reaches over midnight, and a clock that was set back begins no day anew', async () => {
  await rig.write('member-dan', 6)
  const shift = (position: number, days: number) =>
    rig.tamper(`update log.event set created = created + ${days} * 86400000000 where position = ${position}`)
  for (const [position, days] of [
    [9, 1],
    [10, 1],
    [11, 0],
    [12, 2],
  ] as const)
    await shift(position, days)
  await rig.seal()
  const added = (await readSegments(rig.pool)).slice(3)
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  expect(added.map(({ last, day }) => [last, day])).toEqual([
    [8, day(0)],
    [10, day(1)],
    [11, day(1)],
    [12, day(2)],
  ])
  rig.clock(new Date(Date.now() + 3 * DAY_MS))
  expect((await rig.seal()).days.map(({ last }) => last)).toEqual([8, 11, 12])
  expect(await kinds()).toEqual([])
})

test('many processes that seal at once make one chain', async () => {
  for (let round = 0; round < 3; round++) {
    await rig.write('member-eve', 4)
    await Promise.all(Array.from({ length: 5 }, () => rig.seal()))
  }
  expect(await rig.verify()).toMatchObject({ ok: true, events: 18, sealed: 0 })
})

test('a log that ends before its last sealed event is not sealed further, and its missing end is named', async () => {
  await rig.tamper('delete from log.event where position = 6')
  expect(await rig.seal()).toMatchObject({ state: 'behind', events: 0 })
  expect(await kinds()).toEqual([{ kind: 'removed', position: 6, stream: 'member-cem', revision: 1 }])
})

test('a head known outside must be in the chain', async () => {
  const [first] = await readSegments(rig.pool)
  const known = first?.head.toString('hex') ?? ''
  expect(await rig.verify({ expect: known })).toMatchObject({ ok: true })
  const other = '0'.repeat(64)
  expect((await rig.verify({ expect: other })).problems).toEqual([{ kind: 'head-unknown', head: other }])
})
