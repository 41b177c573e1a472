import { expect, test } from 'vitest'
import type { DomainEvent, RecordedEvent } from '../../../domain/all-events.ts'
import { sealedFields } from '../../../projections/history/masking.ts'
import { stateAt } from '../../../projections/history/state.ts'
import { recorded } from '../../support/recorded.ts'
import { samples } from '../../support/samples.ts'

const SECRETS = /Asks for money|Müller|Line one|Paris|4155550123|ann@example|\\u0000/
const SINCE = new Date('2026-11-21T09:30:00Z')
const events = recorded(...Object.entries(samples).map(([type, fields]) => ({ type, ...fields }) as DomainEvent))
const ofMembers = events.filter(({ type }) => !/^(Account(Viewed|Searched)|FieldsRevealed|HistoryExported)$/.test(type))
const streams = [...new Set(ofMembers.map(({ stream }) => stream))]
const erased = (event: RecordedEvent): RecordedEvent =>
  ({
    ...event,
    ...Object.fromEntries([...sealedFields(event).keys()].map((name) => [name, { erased: true }])),
  }) as RecordedEvent

test.each(streams)('every event on %s folds with what is not to be read hidden, sealed or erased', async (stream) => {
  const all = ofMembers.filter((event) => event.stream === stream)
  const erasedAt = new Map([...stream.matchAll(/[0-9a-z]{24}/g)].map(([member]) => [member, SINCE]))
  const hidden = async (past: readonly RecordedEvent[], opened: ReadonlySet<string>) => {
    const state = await stateAt(stream, [past], { moment: null, opened, erasedAt })
    expect(JSON.stringify(state)).not.toMatch(SECRETS)
    return state.leaves.flatMap(({ path, shown }) => ('hidden' in shown ? [{ path, ...shown }] : []))
  }
  const sealed = await hidden(all, new Set())
  expect(sealed.every((leaf) => leaf.hidden === 'sealed')).toBe(true)
  const gone = await hidden(all.map(erased), new Set(erasedAt.keys()))
  expect(gone.map(({ path }) => path)).toEqual(expect.arrayContaining(sealed.map(({ path }) => path)))
  expect(gone.every((leaf) => leaf.hidden === 'erased' && leaf.since === SINCE.toISOString())).toBe(true)
  expect(sealed.length > 0).toBe(/^(profile|gallery)-/.test(stream))
})
