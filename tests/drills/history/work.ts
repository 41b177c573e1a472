import { randomInt } from 'node:crypto'
import type { Caller } from '../program-people.ts'
import { type Operation, operationFor } from './operations.ts'
import type { Act, Look, Recorder, Result, Seen, Tried } from './record.ts'

const ANSWER_MS = 20_000
const POSITION = 'X-Log-Position'
const BEHIND = 'X-Log-Behind'
/** Members meet those next to them, so that pairs have a history. */
const NEAR = 4

/** What the workers share. `ready` resolves while the product is up; `go` answers whether one more operation is wanted. */
export type Field = {
  readonly url: string
  readonly members: readonly Caller[]
  readonly recorder: Recorder
  readonly ready: () => Promise<void>
  readonly go: () => boolean
  /** Answers by status, and looks whose answer admits that it is behind. */
  readonly counts: Map<string, number>
}

/** What a member knows: how far their own operations are, and to whom they may write. */
type Mind = { position: string | null; matched: Set<string>; heard: Map<string, string> }

const WEIGHTS: readonly (readonly [Act | 'look', number])[] = [
  ['send', 30],
  ['look', 25],
  ['buzz', 22],
  ['mark-read', 5],
  ['skip', 4],
  ['withdraw', 4],
  ['unblock', 4],
  ['undo-skip', 2],
  ['block', 2],
  ['unmatch', 2],
]
const CHOICES = WEIGHTS.flatMap(([act, weight]) => Array.from({ length: weight }, () => act))
const pick = () => CHOICES[randomInt(CHOICES.length)]!

/** One worker: does one thing after the other for the members that are its own. */
export async function work(field: Field, own: readonly Caller[]): Promise<void> {
  const minds = new Map(
    own.map(({ id }): [string, Mind] => [id, { position: null, matched: new Set(), heard: new Map() }]),
  )
  for (let turn = 0; field.go(); turn++) {
    await field.ready()
    const me = own[turn % own.length]!
    await once(field, me, minds.get(me.id)!)
  }
}

async function once(field: Field, me: Caller, mind: Mind): Promise<void> {
  const act = pick()
  const other = otherFor(field, me, mind, act)
  if (act === 'look') return look(field, me, other, mind)
  const upTo = mind.heard.get(other.id)
  if (act === 'mark-read' && upTo === undefined) return look(field, me, other, mind)
  const operation = operationFor(act, field.url, me, other, upTo)
  const tried = await send(field, me, other, operation, mind)
  if (tried.result === 'ok') remember(act, other, mind)
  if (tried.result !== 'info' || randomInt(2)) return
  // The sender does not know what became of it, and sends the same once more.
  await field.ready()
  await send(field, me, other, operation, mind)
}

function otherFor({ members }: Field, me: Caller, { matched }: Mind, act: Act | 'look'): Caller {
  const known = ['send', 'mark-read', 'unmatch', 'look'].includes(act) && matched.size > 0
  if (known) {
    const id = [...matched][randomInt(matched.size)]
    return members.find((one) => one.id === id)!
  }
  const at = members.findIndex(({ id }) => id === me.id)
  const step = (1 + randomInt(NEAR)) * (randomInt(2) ? 1 : -1)
  return members[(at + step + members.length) % members.length]!
}

function remember(act: Act, other: Caller, mind: Mind): void {
  if (act === 'block' || act === 'unmatch') mind.matched.delete(other.id)
}

async function send(field: Field, me: Caller, other: Caller, operation: Operation, mind: Mind): Promise<Tried> {
  const { act, command, message, path, init, page } = operation
  const what = { act, command, member: me.id, other: other.id, ...(message && { message }) }
  const tried = field.recorder.invoke(what)
  const answer = await ask(field, path, init)
  const position = answer?.headers.get(POSITION)
  if (position) mind.position = position
  field.recorder.end(tried, await resultOf(answer, page), position)
  return tried
}

/** Of a conflict nobody knows what comes of it. */
const OPEN = /did not go through/

async function resultOf(answer: Response | null, page = false): Promise<Result> {
  if (!answer || answer.status >= 500) return 'info'
  if (answer.status === 409 && OPEN.test(await answer.text())) return 'info'
  if (page) return answer.status >= 300 && answer.status < 400 ? 'ok' : 'fail'
  return answer.ok ? 'ok' : 'fail'
}

const LOOKS: readonly [Look['what'], string][] = [
  ['matches', '/matches'],
  ['liked', '/social/liked'],
  ['blocks', '/blocks'],
  ['unread', '/chat/unread'],
]

/** Looks at one of the own lists, or into a room, asking to see at least what was done before. */
async function look(field: Field, me: Caller, other: Caller, mind: Mind): Promise<void> {
  const room = randomInt(3) === 0
  const [what, path] = room ? (['messages', `/chat/${other.id}/messages`] as const) : LOOKS[randomInt(LOOKS.length)]!
  const seenAt = field.recorder.look({ what, member: me.id, ...(room && { other: other.id }) })
  const headers = { Authorization: `Bearer ${me.token}`, ...(mind.position && { [POSITION]: mind.position }) }
  const answer = await ask(field, `/api${path}`, { headers })
  if (!answer || (answer.status !== 200 && answer.status !== 404)) return
  if (answer.headers.has(BEHIND)) return void count(field, 'admitted to be behind')
  const body: unknown = answer.status === 200 ? await answer.json().catch(() => undefined) : null
  if (body === undefined) return
  const seen = seenIn(what, body, me, other, mind)
  seenAt(seen)
}

type Bodies = {
  matches: { matches: { id: string }[] }
  liked: { users: { id: string }[] }
  blocks: { blocks: { id: string }[] }
  unread: { byUser: Record<string, number> }
  messages: { messages: { id: string; from: string }[] } | null
}

function seenIn(what: Look['what'], body: unknown, me: Caller, other: Caller, mind: Mind): Seen {
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)
  switch (what) {
    case 'matches':
      mind.matched = new Set(ids((body as Bodies['matches']).matches))
      return [...mind.matched]
    case 'liked':
      return ids((body as Bodies['liked']).users)
    case 'blocks':
      return ids((body as Bodies['blocks']).blocks)
    case 'unread':
      return (body as Bodies['unread']).byUser
    case 'messages': {
      const room = body as Bodies['messages']
      const heard = room?.messages.find(({ from }) => from !== me.id)
      if (heard) mind.heard.set(other.id, heard.id)
      return room && ids(room.messages)
    }
  }
}

/** null when no whole answer came. */
async function ask(field: Field, path: string, init: RequestInit): Promise<Response | null> {
  try {
    const answer = await fetch(field.url + path, { ...init, signal: AbortSignal.timeout(ANSWER_MS) })
    // The whole body belongs to the answer: a crash may cut it.
    const body = await answer.arrayBuffer()
    count(field, String(answer.status))
    const { status, headers } = answer
    return new Response(status === 204 || body.byteLength === 0 ? null : body, { status, headers })
  } catch {
    count(field, 'no answer')
    return null
  }
}

const count = ({ counts }: Field, what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)
