import { z } from 'zod'
import { SessionId } from '../../../domain/shared/ids.ts'
import { endOtherSessions, endSession, listOwnSessions } from '../../../usecases/identity/end-sessions.ts'
import { SESSION_WORDS } from '../../words/account-words.ts'
import { worded } from '../../words/words.ts'
import { refusalsOf } from '../answer.ts'
import { defineCall } from '../call.server.ts'
import { Success, success, time } from '../shapes.ts'

const OwnSession = z
  .object({ id: z.string(), label: z.string(), lastSeen: time, current: z.boolean() })
  .meta({ id: 'Session' })
const Which = z.object({
  id: z.literal('all').or(SessionId).meta({ description: '`all`: every session but the one that asks.' }),
})

export const sessions = defineCall({
  id: 'N3',
  method: 'GET',
  path: '/auth/sessions',
  caller: 'account',
  rate: 'READ',
  summary: 'Where the member is signed in',
  answer: z.object({ sessions: z.array(OwnSession).readonly() }),
  async handle({ acting }) {
    const own = await listOwnSessions(acting)
    const sessions = own.map(({ id, label, lastSeenAt, current }) => {
      return { id, label, lastSeen: lastSeenAt.toISOString(), current }
    })
    return { ok: true, value: { sessions } }
  },
})

export const endSessions = defineCall({
  id: 'N3',
  method: 'DELETE',
  path: '/auth/sessions/:id',
  caller: 'account',
  summary: 'End a session, or all others; others only soon after signing in',
  params: Which,
  answer: Success,
  takes: ['SESSIONS'],
  refusals: refusalsOf(SESSION_WORDS),
  async handle({ acting, params: { id } }) {
    const ended = id === 'all' ? await endOtherSessions(acting) : await endSession(acting, { session: id })
    return ended.ok ? success : worded(SESSION_WORDS, ended)
  },
})
