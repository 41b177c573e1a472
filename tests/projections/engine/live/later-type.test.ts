import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DomainEvent, RecordedEvent } from '../../../../domain/all-events.ts'
import type { MemberId } from '../../../../domain/shared/ids.ts'
import { createCodec } from '../../../../eventstore/codec.ts'
import { uuidFrom } from '../../../../eventstore/ids.ts'
import { histories, rowOf } from '../../../../projections/history/project.ts'
import { history } from '../../../../projections/history/table.ts'
import { type Projection, put } from '../../../../projections/projection.ts'
import { projectorState } from '../../../../server/projector-state.ts'
import { fromLater, Waved, WITH_ANOTHER_TYPE } from '../../../eventstore/later-release.ts'
import { toys } from '../../../support/toy-projections.ts'
import { until } from '../../../support/until.ts'
import { AT, buzzed, type EngineRig, member, pairStream, sent, startEngineRig } from '../../engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const [stream, other] = [pairStream(ann, bea), pairStream(ann, cleo)]
type Waving = RecordedEvent & Readonly<Record<'by' | 'target', MemberId>>
/** As the later release has them, of the same version: they take every type by themselves. */
const laterHistories = {
  ...histories,
  when: {
    ...histories.when,
    [Waved.type]: (event: Waving) => [event.by, event.target].map((who) => put(history, rowOf(event, who))),
  },
} as Projection

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const later = () => createCodec(rig.keys, WITH_ANOTHER_TYPE)
const quarantined = async () => (await rig.pool.query('select from app.quarantine')).rowCount
const rows = async () =>
  (await rig.pool.query<{ n: number }>('select count(*)::integer as n from read.history')).rows[0]!.n

/** As a process of the later release appends it. */
async function wave(revision: number) {
  const id = uuidFrom('waved', revision)
  const meta = { commandId: id, correlationId: id, causationId: id, actor: 'system' }
  const event = { type: 'Waved', by: ann, target: bea, at: AT } as unknown as DomainEvent
  const stored = await later().encode(stream, [event], [id], meta)
  return (await rig.log.append(stream, revision === 0 ? 'no_stream' : revision - 1, stored)).position
}

test('every read model of a projector stops at a type of a later release, and it is not ready', async () => {
  const old = rig.project(toys)
  await old.start()
  const before = await rig.append(stream, buzzed(ann, bea), sent(ann, bea, 1))
  await rig.log.append(stream, 1, [fromLater('Waved')])
  await rig.append(other, sent(ann, cleo, 1))
  await until('it has stopped', () => old.status().every(({ error }) => error?.includes('too old')))
  expect([...new Set(old.positions().values())]).toEqual([before])
  expect(projectorState(old.status()).ready).toBe(false)
  expect(await quarantined()).toBe(0)
})

test('a release that was taken back and comes again has in its histories what it wrote meanwhile', async () => {
  const next = rig.project([laterHistories], { codec: later() })
  await next.start()
  expect(await next.waitFor(await wave(0), undefined, 10_000)).toBe(true)
  await next.stop()
  const before = rig.project([histories])
  await before.start()
  const passed = await wave(1)
  await until('the release before has met it', () => {
    const [{ position, error }] = before.status() as [ReturnType<typeof before.status>[number]]
    return error !== null || position >= passed
  })
  await before.stop()
  const again = rig.project([laterHistories], { codec: later() })
  await again.start()
  expect(await again.waitFor(await wave(2), undefined, 10_000)).toBe(true)
  expect(await rows()).toBe(6)
  expect(await quarantined()).toBe(0)
})

test('what the log has in streams of its own stops no read model', async () => {
  const projector = rig.project(toys)
  await projector.start()
  await rig.log.append('$projections-some-result', 'no_stream', [fromLater('Result')])
  const position = await rig.append(stream, sent(ann, bea, 1))
  expect(await projector.waitFor(position, undefined, 10_000)).toBe(true)
  expect(projectorState(projector.status()).ready).toBe(true)
})
