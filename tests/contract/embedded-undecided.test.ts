import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { EventLog } from '../../eventstore/embedded/event-log.ts'
import { PostgresStorage } from '../../eventstore/embedded/storage/postgres-storage.ts'
import { DELETED } from '../../eventstore/embedded/writer/stream-metadata.ts'
import type { Write } from '../../eventstore/embedded/writer/write.ts'
import { freshDatabase } from '../support/fresh-database.ts'

const NOTHING = Buffer.alloc(0)
const UNREADABLE = new Error('no such page')
const noted = () => ({ id: randomUUID(), type: 'Noted', json: true, data: NOTHING, metadata: NOTHING })
const writeOf = (kind: Write['kind'], stream: string, expected: Write['expected'] = 'any'): Write => {
  const events = kind === 'append' ? [noted()] : []
  return { kind, stream, expected, events, deadline: Number.POSITIVE_INFINITY }
}
const append = (stream: string, expected?: Write['expected']) => writeOf('append', stream, expected)

/** A log that has learnt of no stream yet, with two events in a stream `s`, and metadata that it may have. */
async function opened(metadata?: Buffer) {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const lines: string[] = []
  const logLine = (line: string) => void lines.push(line)
  const storage = new PostgresStorage({ database: database.config, logLine, lockWaitMs: 1_000 })
  onTestFinished(() => storage.close())
  await storage.open()
  const event = (position: number) => ({ ...noted(), stream: 's', revision: position - 1, position, created: 0 })
  await storage.commit([event(1), event(2)])
  const ofMetadata = { stream: '$$s', revision: 0, type: '$metadata' }
  if (metadata) await storage.commit([{ ...event(3), ...ofMetadata, data: metadata }])
  const log = new EventLog(storage, logLine)
  await log.open()
  const opens = vi.spyOn(storage, 'open')
  return { log, storage, lines, opens }
}
type Opened = Awaited<ReturnType<typeof opened>>

/** These streams have a last event that cannot be read, over a connection that writes on. */
function failSummaryOf({ storage }: Opened, ...unreadable: string[]): void {
  const own = storage.summarise.bind(storage)
  vi.spyOn(storage, 'summarise').mockImplementation((streams) =>
    streams.some((stream) => unreadable.includes(stream)) ? Promise.reject(UNREADABLE) : own(streams),
  )
}
const failOlderEvents = ({ storage }: Opened) => vi.spyOn(storage, 'readToWrite').mockRejectedValue(UNREADABLE)

test.each<[string, (opened: Opened) => unknown, Write]>([
  ['older events', failOlderEvents, append('s', 0)],
  ['last event', (opened) => failSummaryOf(opened, 's'), append('s', 1)],
  ['metadata', (opened) => failSummaryOf(opened, '$$s'), writeOf('delete', 's')],
])(
  'a write whose stream has %s that cannot be read fails alone, and the connection that writes stays',
  async (...of) => {
    const [, fail, write] = of
    const world = await opened()
    fail(world)
    const { log, opens } = world
    const [lost, ...others] = await Promise.allSettled([write, append('t'), append('u')].map((one) => log.write(one)))
    expect(lost).toMatchObject({ status: 'rejected', reason: { name: 'UndecidedError' } })
    expect(others).toMatchObject([{ value: { ok: true } }, { value: { ok: true } }])
    expect([opens.mock.calls.length, log.ready()]).toEqual([0, true])
  },
)

test('of a write that cannot be decided nothing is appended, also where it would begin its stream anew', async () => {
  const world = await opened(DELETED)
  const { log, storage } = world
  const last = log.tail.last
  failSummaryOf(world, '$$s')
  const [lost, other] = await Promise.allSettled([log.write(append('s')), log.write(append('t'))])
  expect(lost).toMatchObject({ status: 'rejected', reason: { name: 'UndecidedError' } })
  expect(other).toMatchObject({ value: { ok: true, position: last + 1 } })
  vi.mocked(storage.summarise).mockRestore()
  expect((await storage.readAll({ from: last + 1, backwards: false, limit: 10 })).events).toHaveLength(1)
})

test('why a write cannot be decided is reported once in ten minutes, without its stream', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const world = await opened()
  const { log, lines } = world
  const older = failOlderEvents(world)
  const fail = () => expect(log.write(append('s', 0))).rejects.toThrow()
  await fail()
  await log.write(append('t'))
  await fail()
  expect(lines).toEqual(['The write could not be decided: no such page'])
  older.mockRejectedValueOnce(new Error('no such file'))
  for (const _ of [1, 2]) await fail()
  expect(lines.slice(1)).toEqual(['The write could not be decided: no such file'])
  vi.setSystemTime(Date.now() + 660_000)
  await fail()
  expect(lines.slice(2)).toEqual(['The write could not be decided: no such page'])
})
