import {
  BACKWARDS,
  binaryEvent,
  END,
  type EventStoreDBClient,
  jsonEvent,
  type ResolvedEvent,
  streamNameFilter,
} from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { newStream, note } from '../log-target.ts'

const linkTo = (revision: number | string, stream: string) =>
  binaryEvent({ type: '$>', data: Buffer.from(`${revision}@${stream}`) })

type Left = AsyncIterable<ResolvedEvent> & { unsubscribe?(): Promise<void>; cancel?(): Promise<void> }

/** The first event; the call ends with it. */
async function first(events: Left): Promise<ResolvedEvent> {
  try {
    for await (const event of events) return event
    throw new Error('There is no event.')
  } finally {
    await events.unsubscribe?.()
    await events.cancel?.()
  }
}

/** Events that point to another stream's event: `revision@stream`. */
export function linkContract(client: () => EventStoreDBClient): void {
  async function linked() {
    const [target, stream] = [newStream('target'), newStream('links')]
    await client().appendToStream(target, [note('A'), note('B'), note('C')])
    await client().appendToStream(stream, linkTo(1, target))
    return { target, stream }
  }
  type Ask = (stream: string, resolveLinkTos: boolean) => Promise<ResolvedEvent>
  const asks: [string, Ask][] = [
    ['a read', (stream, resolveLinkTos) => first(client().readStream(stream, { resolveLinkTos }))],
    [
      'a read backwards of the whole log',
      (_stream, resolveLinkTos) =>
        first(client().readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, resolveLinkTos })),
    ],
    ['a subscription', (stream, resolveLinkTos) => first(client().subscribeToStream(stream, { resolveLinkTos }))],
    [
      'a subscription to the whole log',
      (stream, resolveLinkTos) =>
        first(client().subscribeToAll({ resolveLinkTos, filter: streamNameFilter({ prefixes: [stream] }) })),
    ],
  ]

  test.each(asks)('%s that resolves links gets the event and the link, else the link alone', async (_name, ask) => {
    const { target, stream } = await linked()
    const resolved = await ask(stream, true)
    expect(resolved.event).toMatchObject({ streamId: target, revision: 1n, type: 'B', data: { text: '' } })
    expect(resolved.link).toMatchObject({ streamId: stream, revision: 0n, type: '$>' })
    const plain = await ask(stream, false)
    expect(plain.event).toMatchObject({ streamId: stream, revision: 0n, type: '$>' })
    expect(plain.link).toBeUndefined()
  })

  test.each([
    ['a revision beyond the end', (target: string) => linkTo(9, target)],
    ['a stream that does not exist', () => linkTo(0, newStream())],
    ['a name with a zero byte', () => linkTo(0, 'a\0b')],
    ['a number without a name', () => binaryEvent({ type: '$>', data: Buffer.from('0') })],
    ['no name', () => linkTo(0, '')],
    ['a revision before the first', (target: string) => linkTo(-2, target)],
  ])('a link to %s arrives alone, and holds nobody up', async (_name, link) => {
    const { target, stream } = await linked()
    const broken = newStream('links')
    await client().appendToStream(broken, [link(target), linkTo(0, target)])
    const seen: ResolvedEvent[] = []
    for await (const event of client().readStream(broken, { resolveLinkTos: true })) seen.push(event)
    expect(seen[0]!.event).toBeUndefined()
    expect(seen[0]!.link).toMatchObject({ streamId: broken, revision: 0n })
    expect(seen[1]!.event).toMatchObject({ streamId: target, type: 'A' })
    expect(stream).not.toBe(broken)
  })

  test.each([
    ['what is no number', (target: string) => linkTo('last', target)],
    ['an endless number', (target: string) => linkTo('9'.repeat(40), target)],
    ['a name without a number', (target: string) => binaryEvent({ type: '$>', data: Buffer.from(target) })],
    ['nothing', () => jsonEvent({ type: '$>', data: {} })],
  ])('a link to %s is an event like any other', async (_name, link) => {
    const { target } = await linked()
    const broken = newStream('links')
    await client().appendToStream(broken, [link(target), linkTo(0, target)])
    const seen: ResolvedEvent[] = []
    for await (const event of client().readStream(broken, { resolveLinkTos: true })) seen.push(event)
    expect(seen[0]!.event).toMatchObject({ streamId: broken, revision: 0n, type: '$>' })
    expect(seen[0]!.link).toBeUndefined()
    expect(seen[1]!.event).toMatchObject({ streamId: target, type: 'A' })
  })

  test('a link to revision -1 is one to the last event', async () => {
    const { target } = await linked()
    const stream = newStream('links')
    await client().appendToStream(stream, linkTo(-1, target))
    const { event } = await first(client().readStream(stream, { resolveLinkTos: true }))
    expect(event).toMatchObject({ streamId: target, revision: 2n, type: 'C' })
  })

  test.each([
    ['hidden by metadata', (target: string) => client().setStreamMetadata(target, { truncateBefore: 2 })],
    ['of a deleted stream', (target: string) => client().deleteStream(target)],
    ['of a tombstoned stream', (target: string) => client().tombstoneStream(target)],
  ])('an event %s is not seen through a link either', async (_name, hide) => {
    const { target, stream } = await linked()
    await hide(target)
    const { event, link } = await first(client().readStream(stream, { resolveLinkTos: true }))
    expect([event, link?.type]).toEqual([undefined, '$>'])
  })
}
