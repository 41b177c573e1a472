import { expect, test } from 'vitest'
import type { DomainEvent } from '../../domain/all-events.ts'
import { createCodec } from '../../eventstore/codec.ts'
import type { StorableEvent, StoredEvent } from '../../eventstore/events.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { goldenNames, readGolden, released } from '../../server/tools/events/released.ts'
import { addGolden, goldenKeys } from '../support/golden.ts'
import { T0 } from '../support/people.ts'
import { positionAt, streamOf } from '../support/recorded.ts'
import { samples } from '../support/samples.ts'

type Golden = { stream: string; stored: StorableEvent; decoded: Record<string, unknown> }

const codec = createCodec(goldenKeys())
const asStored = ({ stream, stored }: Golden): StoredEvent => ({
  ...stored,
  stream,
  revision: 0,
  position: positionAt(1),
  recordedAt: T0,
})

async function decode(golden: Golden): Promise<Record<string, unknown>> {
  const [event] = await codec.decode([asStored(golden)])
  return JSON.parse(JSON.stringify(event)) as Record<string, unknown>
}

async function sample(type: DomainEvent['type'], name: string): Promise<Golden> {
  const event = { type, ...samples[type] } as DomainEvent
  const stream = streamOf(event)
  const id = uuidFrom('golden', name)
  const meta = { commandId: id, correlationId: id, causationId: id, actor: 'system' }
  const [stored] = await codec.encode(stream, [event], [id], meta)
  const golden = { stream, stored: stored as StorableEvent }
  return { ...golden, decoded: await decode({ ...golden, decoded: {} }) }
}

test('every released version of every event has its golden file, and no file is left without one', async () => {
  for (const { name, type, latest } of released) if (latest) await addGolden(name, () => sample(type, name))
  expect(goldenNames()).toEqual(released.map(({ name }) => name).sort())
})

test.each(released)('$name decodes as on the day it was released', async ({ name }) => {
  const golden = readGolden<Golden>(name)
  expect(await decode(golden)).toEqual(golden.decoded)
})

test('what is encoded anew has the form of the golden, but for the cipher’s own dice', async () => {
  for (const { name, type, latest } of released) {
    if (!latest) continue
    const [old, fresh] = [readGolden<Golden>(name).stored, (await sample(type, name)).stored]
    const clear = ({ data: { sealed, ...rest } }: StorableEvent) => [rest, Object.keys(sealed ?? {})]
    expect(clear(fresh), name).toEqual(clear(old))
    expect(fresh.metadata, name).toEqual(old.metadata)
  }
})

test('a golden that was tampered with does not decode', async () => {
  const golden = readGolden<Golden>('MessageSent.v1')
  const moved = { ...golden, stream: golden.stream.replace('ann', 'eve') }
  await expect(decode(moved)).rejects.toThrow('its seal is broken')
})
