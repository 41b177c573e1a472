import { randomUUID } from 'node:crypto'
import { type MemberId, pairIdOf } from '../../../domain/shared/ids.ts'
import { uuidFrom } from '../../../eventstore/ids.ts'
import type { Caller } from '../program-people.ts'
import type { Act } from './record.ts'

/** One request of a member, and the id that its event carries in the log. */
export type Operation = {
  readonly act: Act
  readonly command: string
  readonly message?: string
  readonly path: string
  readonly init: RequestInit
  /** A page's form answers with a redirect when it is done. */
  readonly page?: true
}

type Call = { readonly act: Act; readonly method: string; readonly route: string; readonly path: string; body?: object }

function keyed(me: Caller, { act, method, route, path, body }: Call): Operation {
  const key = randomUUID()
  const headers = { ...bearer(me), 'Idempotency-Key': key, ...(body && { 'Content-Type': 'application/json' }) }
  const command = uuidFrom('keyed', me.id, `${method} ${route}`, key)
  return { act, command, path: `/api${path}`, init: { method, headers, ...(body && { body: JSON.stringify(body) }) } }
}

const bearer = (me: Caller) => ({ Authorization: `Bearer ${me.token}` })
const toOther = (other: Caller) => ({ to: other.id })

/** Taking a buzz back has no call of its own: it is a form of the other's page. */
function withdraw(url: string, me: Caller, other: Caller): Operation {
  const command = randomUUID()
  const body = new URLSearchParams({ intent: 'withdraw', commandId: command })
  const headers = { Cookie: `__Host-buzz=${me.token}`, Origin: url }
  const init: RequestInit = { method: 'POST', headers, body, redirect: 'manual' }
  return { act: 'withdraw', command, path: `/view/${other.id}`, init, page: true }
}

function send(me: Caller, other: Caller): Operation {
  const message = randomUUID()
  const pair = pairIdOf(me.id as MemberId, other.id as MemberId)
  const headers = { ...bearer(me), 'Content-Type': 'application/json' }
  const body = JSON.stringify({ id: message, text: `word ${message}` })
  const path = `/api/chat/${other.id}/messages`
  return {
    act: 'send',
    message,
    command: uuidFrom('message', pair, message),
    path,
    init: { method: 'POST', headers, body },
  }
}

/** The command's id follows from the message's number, which its sender does not know: it is named by the message. */
export const readCommand = (member: string, upTo: string) => `read ${member} ${upTo}`

function markRead(me: Caller, other: Caller, upTo: string): Operation {
  const headers = { ...bearer(me), 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify({ upTo }) }
  return { act: 'mark-read', command: readCommand(me.id, upTo), path: `/api/chat/${other.id}/read`, init }
}

/** A fresh command; `upTo` is the message that `mark-read` needs. */
export function operationFor(act: Act, url: string, me: Caller, other: Caller, upTo = ''): Operation {
  const by = (route: string) => route.replace(/:\w+/, other.id)
  switch (act) {
    case 'buzz':
      return keyed(me, { act, method: 'POST', route: '/likes', path: '/likes', body: toOther(other) })
    case 'withdraw':
      return withdraw(url, me, other)
    case 'skip':
      return keyed(me, { act, method: 'POST', route: '/discover/skip', path: '/discover/skip', body: toOther(other) })
    case 'undo-skip':
      return keyed(me, { act, method: 'DELETE', route: '/discover/skip/:to', path: by('/discover/skip/:to') })
    case 'send':
      return send(me, other)
    case 'mark-read':
      return markRead(me, other, upTo)
    case 'block':
      return keyed(me, { act, method: 'POST', route: '/block', path: '/block', body: { targetId: other.id } })
    case 'unblock':
      return keyed(me, { act, method: 'DELETE', route: '/blocks/:id', path: by('/blocks/:id') })
    case 'unmatch':
      return keyed(me, { act, method: 'POST', route: '/unmatch/:id', path: by('/unmatch/:id') })
  }
}
