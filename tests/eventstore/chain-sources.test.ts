import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memberDecider } from '../../domain/identity/member.ts'
import type { ChainSource } from '../../eventstore/chain/source.ts'
import { createDispatch } from '../../eventstore/dispatch.ts'
import { scavenge } from '../../eventstore/embedded/storage/scavenge.ts'
import { type ChainRig, startChainRig } from './chain-rig.ts'
import { as, member } from './rig.ts'

let rig: ChainRig
let client: EventStoreDBClient
beforeEach(async () => {
  rig = await startChainRig()
  client = EventStoreDBClient.connectionString(rig.address())
})
afterEach(async () => {
  await client.dispose()
  await rig.stop()
})

async function tuplesOf(source: ChainSource): Promise<string[]> {
  const tuples: string[] = []
  await source.each({ after: 0, to: await source.head() }, (tuple) => tuples.push(tuple.toString('hex')))
  return tuples
}

/** Streams of every fate: whole, truncated, deleted, ended for ever; and one of the server's own. */
async function fates(): Promise<void> {
  for (const stream of ['member-ann', 'pair-cut', 'pair-gone', 'pair-ended', '$own']) await rig.write(stream, 5)
  await client.setStreamMetadata('pair-cut', { truncateBefore: 3 })
  await client.deleteStream('pair-gone')
  await client.tombstoneStream('pair-ended')
}

test('the table and the client give the same bytes, without the streams of the server itself', async () => {
  await fates()
  const byTable = await tuplesOf(rig.source)
  expect(byTable).toHaveLength(23)
  expect(await tuplesOf(rig.byClient)).toEqual(byTable)
  expect(await rig.source.head()).toBe(await rig.byClient.head())
  for (const stream of ['member-ann', 'pair-cut', '$$pair-cut', 'pair-ended', 'nobody'])
    expect(await rig.byClient.streamNow(stream), stream).toEqual(await rig.source.streamNow(stream))
})

test('what one reader sealed the other verifies', async () => {
  await fates()
  await rig.seal({ source: rig.byClient })
  expect(await rig.verify()).toMatchObject({ ok: true, events: 23, sealed: 0 })
  await rig.tamper(
    'update log.event set metadata = set_byte(metadata, 3, get_byte(metadata, 3) # 4) where position = 4',
  )
  const { problems } = await rig.verify({}, { source: rig.byClient })
  expect(problems).toEqual([{ kind: 'changed', position: 4, stream: 'member-ann', revision: 3 }])
})

test('an erased member changes nothing that was sealed', async () => {
  const [ann, at] = [member('ann'), new Date()]
  const { dispatch } = createDispatch({ log: rig.log, codec: rig.codec, keys: rig.keys })
  const register = {
    type: 'Register',
    member: ann,
    email: 'ann@example.com',
    termsVersion: '1',
    demo: false,
    at,
  } as const
  await dispatch(memberDecider, register, as(ann))
  await rig.seal()
  await rig.keys.destroy(ann)
  expect(await rig.verify()).toMatchObject({ ok: true, events: 1 })
})

test('what a scavenge takes is accounted for by the streams’ own metadata', async () => {
  await fates()
  await rig.seal()
  await client.setStreamMetadata('pair-cut', { truncateBefore: 4 })
  const taken = await scavenge({ database: rig.logDatabase.config })
  expect(taken.events).toBe(14)
  for (const source of [rig.source, rig.byClient]) {
    const verdict = await rig.verify({}, { source })
    expect(verdict.problems).toEqual([])
    expect([...verdict.scavenged].sort()).toEqual([
      ['$$pair-cut', 1],
      ['pair-cut', 4],
      ['pair-ended', 5],
      ['pair-gone', 4],
    ])
  }
})

test('a scavenge takes from the given streams alone: what is missing beyond them is named', async () => {
  await fates()
  await rig.seal()
  await rig.tamper(`delete from log.event where stream in ('pair-cut', 'member-ann') and revision between 2 and 3`)
  const { problems, scavenged } = await rig.verify()
  expect([...scavenged]).toEqual([['pair-cut', 1]])
  expect(problems).toEqual([
    { kind: 'removed', position: 3, stream: 'member-ann', revision: 2 },
    { kind: 'removed', position: 4, stream: 'member-ann', revision: 3 },
    { kind: 'removed', position: 9, stream: 'pair-cut', revision: 3 },
  ])
})

test('metadata that limit nothing explain nothing that is missing', async () => {
  for (const stream of ['pair-bytes', 'pair-negative']) await rig.write(stream, 2)
  const octets = binaryEvent({ type: '$metadata', data: Buffer.from('{"$tb":1}') })
  await client.appendToStream('$$pair-bytes', octets)
  await client.appendToStream('$$pair-negative', jsonEvent({ type: '$metadata', data: { $maxCount: -1 } }))
  await rig.seal()
  await rig.tamper('delete from log.event where revision = 0 and stream in ($1, $2)', ['pair-bytes', 'pair-negative'])
  for (const source of [rig.source, rig.byClient]) {
    const { problems, scavenged } = await rig.verify({}, { source })
    expect(problems.map((problem) => problem.kind)).toEqual(['removed', 'removed'])
    expect([...scavenged]).toEqual([])
  }
})

test('the end of a stream that was closed for ever may not disappear', async () => {
  await fates()
  await rig.seal()
  await rig.tamper(`delete from log.event where stream = 'pair-ended'`)
  const { problems } = await rig.verify()
  expect(problems.map((problem) => problem.kind)).toEqual(Array.from({ length: 6 }, () => 'removed'))
})
