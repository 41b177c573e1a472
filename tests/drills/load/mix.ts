import { randomUUID } from 'node:crypto'
import { SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import type { Caller } from '../program-people.ts'

/** A member of the load: who their match is, and the address of a photo that they may see. */
export type Resident = Caller & { readonly other: string; readonly photo: string }

export type Kind = 'page' | 'call' | 'file' | 'write'
/** One request. `message`: its id where it is one, to be looked for at the sockets. */
export type Shot = {
  readonly kind: Kind
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
  readonly message?: string
}

const GZIP = { 'Accept-Encoding': 'gzip, deflate, br' }
const cookie = ({ token }: Caller) => ({ ...GZIP, Cookie: `${SESSION_COOKIE}=${token}` })
const bearer = ({ token }: Caller) => ({ ...GZIP, Authorization: `Bearer ${token}` })

const page = (path: (who: Resident) => string) => (who: Resident) =>
  ({ kind: 'page', path: path(who), headers: { ...cookie(who), Accept: 'text/html' } }) as const
const call = (path: (who: Resident) => string) => (who: Resident) =>
  ({ kind: 'call', path: `/api${path(who)}`, headers: bearer(who) }) as const
const write = (who: Resident, path: string, body: object, more: Partial<Shot> = {}): Shot => ({
  kind: 'write',
  path: `/api${path}`,
  headers: { ...bearer(who), 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
  ...more,
})

function message(who: Resident, turn: number): Shot {
  const id = randomUUID()
  const text = `word ${turn}`
  return write(who, `/chat/${who.other}/messages`, { id, text }, { message: id })
}

/** Of a hundred requests. A browser asks for pictures once and keeps them. */
const MIX: readonly (readonly [share: number, make: (who: Resident, turn: number) => Shot])[] = [
  [16, page(() => '/discover')],
  [8, page(() => '/chat')],
  [8, page(({ other }) => `/chat/${other}`)],
  [5, page(() => '/notifications')],
  [5, page(({ other }) => `/viewProfile/${other}`)],
  [3, page(() => '/profile')],
  [10, call(() => '/matches')],
  [7, call(() => '/notifications')],
  [5, call(() => '/users/me')],
  [8, call(({ other }) => `/chat/${other}/messages`)],
  [10, (who) => ({ kind: 'file', path: who.photo, headers: cookie(who) })],
  [12, message],
  [3, (who) => write(who, '/location', TOWN)],
]

/** Where all of them live. */
export const TOWN = { lat: 38.72, lng: -9.14 }

/** Deals the requests of the mix in a fixed order that spreads each kind evenly over a hundred. */
export function dealt(people: readonly Resident[]): (turn: number) => Shot & { who: Resident } {
  const all = MIX.flatMap(([share, make]) =>
    Array.from({ length: share }, (_, at) => ({ make, at: (at + 0.5) / share })),
  )
  const deck = all.sort((a, b) => a.at - b.at)
  return (turn) => {
    const who = people[(turn + Math.floor(turn / people.length)) % people.length] as Resident
    return { ...(deck[turn % deck.length] as (typeof deck)[number]).make(who, turn), who }
  }
}
