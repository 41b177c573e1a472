import { expect, test } from 'vitest'
import { UndecodableEvent } from '../../eventstore/codec.ts'
import type { StoredEvent } from '../../eventstore/events.ts'
import { decodeEach } from '../../realtime/decode.ts'

const stored = Array.from({ length: 8 }, (_, n) => ({ id: `${n}` }) as StoredEvent)

test('events that cannot be decoded for now are asked for once, all together', async () => {
  const asked: number[] = []
  const decode = async (events: readonly StoredEvent[]) => {
    asked.push(events.length)
    throw new Error('no keys for now')
  }
  await expect(decodeEach({ decode } as never, stored, () => expect.fail('It is left out.'))).rejects.toThrow('no keys')
  expect(asked).toEqual([8])
})

test('an event that can never be read is left out, and delays none of the others', async () => {
  const left: string[] = []
  const decode = async (events: readonly StoredEvent[]) => {
    if (events.some(({ id }) => id === '5')) throw new UndecodableEvent('a text that was tampered with')
    return events
  }
  const read = await decodeEach({ decode } as never, stored, ({ id }) => void left.push(id))
  expect(read).toEqual(stored.filter(({ id }) => id !== '5'))
  expect(left).toEqual(['5'])
})
