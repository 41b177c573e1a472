import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  eventTypeFilter,
  excludeSystemEvents,
  type Filter,
  type Position,
  START,
  streamNameFilter,
} from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { all, newStream, note, notes, take, typesOf } from '../log-target.ts'

export function subscriptionContract(client: () => EventStoreDBClient): void {
  test('a stream is followed from its start, from any revision and from its end', async () => {
    const stream = newStream()
    await client().appendToStream(stream, [note('A'), note('B'), note('C')])
    const fromStart = take(5, client().subscribeToStream(stream, { fromRevision: START }))
    const fromSecond = take(3, client().subscribeToStream(stream, { fromRevision: 1n }))
    const ended = client().subscribeToStream(stream, { fromRevision: END })
    const confirmed = new Promise((resolve) => ended.once('confirmation', resolve))
    const fromEnd = take(2, ended)
    await confirmed
    await client().appendToStream(newStream(), note('Elsewhere'))
    await client().appendToStream(stream, [note('D'), note('E')])
    expect(typesOf(await fromStart)).toEqual(['A', 'B', 'C', 'D', 'E'])
    expect(typesOf(await fromSecond)).toEqual(['C', 'D', 'E'])
    expect(typesOf(await fromEnd)).toEqual(['D', 'E'])
  })

  test('a stream can be followed before its first event', async () => {
    const stream = newStream()
    const followed = take(2, client().subscribeToStream(stream))
    await client().appendToStream(stream, notes(2))
    expect((await followed).map(({ revision }) => revision)).toEqual([0n, 1n])
  })

  test('the whole log is followed from after any position, each event once', async () => {
    const stream = newStream()
    const positions: Position[] = []
    for (const letter of ['A', 'B', 'C', 'D']) {
      positions.push((await client().appendToStream(stream, note(letter))).position!)
    }
    const filter = streamNameFilter({ prefixes: [stream] })
    const followers = positions.map((fromPosition, index) =>
      take(5 - index - 1, client().subscribeToAll({ fromPosition, filter })),
    )
    await client().appendToStream(stream, note('E'))
    const seen = (await Promise.all(followers)).map((events) => typesOf(events).join(''))
    expect(seen).toEqual(['BCDE', 'CDE', 'DE', 'E'])
  })

  test('a follower from the end sees only what comes later', async () => {
    const stream = newStream()
    await client().appendToStream(stream, note('Before'))
    const subscription = client().subscribeToAll({
      fromPosition: END,
      filter: streamNameFilter({ prefixes: [stream] }),
    })
    const confirmed = new Promise((resolve) => subscription.once('confirmation', resolve))
    const followed = take(1, subscription)
    await confirmed
    await client().appendToStream(stream, note('After'))
    expect(typesOf(await followed)).toEqual(['After'])
  })

  test('filters choose by type and by stream, by prefix and by expression', async () => {
    const category = newStream('filter').replaceAll('-', '')
    const type = `T${category}`
    await client().appendToStream(`${category}-one`, [note(`${type}Red`), note(`${type}Blue`)])
    await client().appendToStream(`${category}-two`, [note(`${type}Red`), note('Other')])
    const seen = async (count: number, filter: Filter) =>
      (await take(count, client().subscribeToAll({ filter }))).map(({ type, streamId }) => [
        streamId.split('-')[1],
        type.replace(`T${category}`, ''),
      ])
    const red = [
      ['one', 'Red'],
      ['two', 'Red'],
    ]
    expect(await seen(2, eventTypeFilter({ prefixes: [`${type}Red`, 'nothing'] }))).toEqual(red)
    expect(await seen(2, eventTypeFilter({ regex: `^${type}R.d$` }))).toEqual(red)
    const two = [
      ['two', 'Red'],
      ['two', 'Other'],
    ]
    expect(await seen(2, streamNameFilter({ prefixes: [`${category}-two`] }))).toEqual(two)
    expect(await seen(2, streamNameFilter({ regex: `^${category}-t` }))).toEqual(two)
  })

  test.each(['(?i)', '(?is)'])('an expression may begin with its options: %s', async (options) => {
    const stream = newStream('Options')
    await client().appendToStream(stream, note('A'))
    const filter = streamNameFilter({ regex: `${options}^${stream.toUpperCase()}$` })
    expect(typesOf(await take(1, client().subscribeToAll({ filter })))).toEqual(['A'])
  })

  test('system events can be left out', async () => {
    const stream = newStream()
    await client().setStreamMetadata(stream, { maxCount: 10 })
    await client().appendToStream(stream, note('Own'))
    const last = await all(client().readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 50 }))
    const own = last.filter(({ streamId }) => streamId.endsWith(stream))
    expect(typesOf(own)).toEqual(['Own', '$metadata'])
    const subscription = client().subscribeToAll({ filter: excludeSystemEvents() })
    const seen: string[] = []
    try {
      for await (const { event } of subscription) {
        seen.push(event!.type)
        if (event!.streamId === stream) break
      }
    } finally {
      await subscription.unsubscribe()
    }
    expect(seen.filter((type) => type.startsWith('$'))).toEqual([])
  })

  test('a follower is notified when it has caught up, once, after what was there', async () => {
    const stream = newStream()
    await client().appendToStream(stream, notes(40))
    const subscription = client().subscribeToStream(stream)
    const seen: string[] = []
    subscription.on('caughtUp', () => seen.push('caught up'))
    subscription.on('data', ({ event }) => seen.push(event!.type))
    await until('the follower has caught up', () => seen.includes('caught up'))
    await client().appendToStream(stream, note('Live'))
    await until('the live event arrives', () => seen.includes('Live'))
    await subscription.unsubscribe()
    expect(seen.filter((entry) => entry === 'caught up')).toHaveLength(1)
    expect(seen.at(-1)).toBe('Live')
  })

  test('a filter that hides everything still moves its checkpoint on, from which nothing is missed', async () => {
    const stream = newStream()
    const checkpoints: bigint[] = []
    const filter = streamNameFilter({
      prefixes: [stream],
      checkpointInterval: 1,
      checkpointReached: async (_subscription, { commit }) => {
        checkpoints.push(commit)
      },
    })
    const { position: begin } = await client().appendToStream(newStream('noise'), notes(1))
    const subscription = client().subscribeToAll({ fromPosition: begin!, filter })
    subscription.resume()
    for (let round = 0; round < 4; round++) await client().appendToStream(newStream('noise'), notes(40))
    await until('three checkpoints', () => checkpoints.length >= 3)
    await subscription.unsubscribe()
    expect(checkpoints.every((commit, index) => commit > (index ? checkpoints[index - 1]! : begin!.commit))).toBe(true)
    const reached = { commit: checkpoints.at(-1)!, prepare: checkpoints.at(-1)! }
    const resumed = take(1, client().subscribeToAll({ fromPosition: reached, filter }))
    await client().appendToStream(stream, note('Wanted'))
    expect(typesOf(await resumed)).toEqual(['Wanted'])
  })
}
