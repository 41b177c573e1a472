import type { RecordedEvent } from '../../domain/all-events.ts'
import { valueOr } from '../../domain/shared/personal.ts'
import {
  fold,
  type Projection,
  patch,
  put,
  removeWhere,
  type Table,
  updateWhere,
} from '../../projections/projection.ts'

export type TallyRow = {
  member: string
  buzzed: number
  messages: number
  /** Depends on the order of what was folded, so a doubled or lost event shows. */
  trail: number
  last_at: Date | null
  seen: readonly string[]
  tags: readonly string[]
  gone: boolean
}

export const tally: Table<TallyRow> = {
  name: 'tally',
  columns: {
    member: 'text collate "C" not null',
    buzzed: 'integer not null',
    messages: 'bigint not null',
    trail: 'double precision not null',
    last_at: 'timestamptz',
    seen: 'jsonb not null',
    tags: 'text[] not null',
    gone: 'boolean not null',
  },
  key: ['member'],
  indexes: [{ on: 'gone, member', serves: 'a test' }],
}

export type LineRow = { room: string; number: number; from_member: string; text: string | null }

export const line: Table<LineRow> = {
  name: 'line',
  columns: {
    room: 'text collate "C" not null',
    number: 'integer not null',
    from_member: 'text collate "C" not null',
    text: 'text',
  },
  key: ['room', 'number'],
  indexes: [{ on: 'from_member', serves: 'the removal of an erased member' }],
}

const EMPTY: Omit<TallyRow, 'member'> = {
  buzzed: 0,
  messages: 0,
  trail: 7,
  last_at: null,
  seen: [],
  tags: [],
  gone: false,
}
const MODULUS = 2_147_483_647

const note = (row: TallyRow, number: number): TallyRow => ({ ...row, trail: (row.trail * 31 + number) % MODULUS })

const bump = (member: string, number: number, change: (row: TallyRow) => Partial<TallyRow>) =>
  fold(tally, { member }, (row) => {
    const old = row ?? { member, ...EMPTY }
    return note({ ...old, ...change(old) }, number)
  })

/** Counts what each member did; wrong by one as soon as an event is lost, doubled or out of order. */
export const tallies: Projection = {
  name: 'tallies',
  version: 1,
  tables: [tally],
  when: {
    Buzzed: ({ from, to, at, revision }) => [
      bump(from, revision, (row) => ({ buzzed: row.buzzed + 1, last_at: at })),
      bump(to, revision + 1, (row) => ({ seen: [...row.seen.slice(-3), from], tags: [from, 'a"b\\c,{}'] })),
    ],
    MessageSent: ({ from, at, number }) => [
      bump(from, number, (row) => ({
        messages: row.messages + 1,
        last_at: row.last_at && row.last_at > at ? row.last_at : at,
      })),
    ],
    AccountErased: ({ member }) => [patch(tally, { member }, (row) => ({ ...row, gone: true }))],
  },
}

/** Messages by room; an unmatch hides the words of the one who left, an erasure removes their lines. */
export const lines: Projection = {
  name: 'lines',
  version: 1,
  tables: [line],
  when: {
    MessageSent: (event: RecordedEvent<'MessageSent'>) => [
      put(line, { room: event.stream, number: event.number, from_member: event.from, text: String(event.text) }),
    ],
    Unmatched: ({ by }) => [updateWhere(line, { from_member: by }, { text: null })],
    AccountErased: ({ member }) => [removeWhere(line, { from_member: member })],
  },
}

/** As `lines`, but for messages of this number, which the handler cannot take. */
export const linesWithout = (without: number, version = 1): Projection => ({
  ...lines,
  version,
  when: {
    ...lines.when,
    MessageSent: (event: RecordedEvent<'MessageSent'>) => {
      if (event.number === without) throw new Error('no room')
      return lines.when.MessageSent!(event)
    },
  },
})

export type CardRow = { member: string; changes: number; word: string; last_at: Date | null }

export const card: Table<CardRow> = {
  name: 'card',
  columns: {
    member: 'text collate "C" not null',
    changes: 'integer not null',
    word: 'text not null',
    last_at: 'timestamptz',
  },
  key: ['member'],
  indexes: [{ on: 'last_at', serves: 'a test' }],
}

/** Of events whose only word is sealed. */
export const cards: Projection = {
  name: 'cards',
  version: 1,
  tables: [card],
  when: {
    BioChanged: ({ member, bio, at }) => [
      fold(card, { member }, (row) => ({
        member,
        changes: (row?.changes ?? 0) + 1,
        word: valueOr(bio, ''),
        last_at: at,
      })),
    ],
  },
}

export const toys: readonly Projection[] = [cards, tallies, lines]
