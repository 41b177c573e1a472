import { z } from 'zod'
import { findProfile } from '../../../projections/profiles/queries.ts'
import { done, refused, tooMany } from '../../../usecases/answer.ts'
import { reactivate } from '../../../usecases/identity/reactivate.ts'
import { pipelineWorded } from '../../words/words.ts'
import { defineCall } from '../call.server.ts'
import { editOwn } from '../edit-own.server.ts'
import { ById } from '../fields.ts'
import { ownUser } from '../own-user.server.ts'
import { ProfileEdit } from '../profile-edit.server.ts'
import { notFound } from '../refusal.server.ts'
import { Encounter, Self, SelfUser } from '../shapes.ts'

const own = { caller: 'account', rate: 'READ', method: 'GET' } as const

export const authMe = defineCall({
  ...{ id: 'C25', path: '/auth/me', ...own },
  summary: 'Who the token belongs to',
  answer: SelfUser,
  handle: async ({ context, me }) => done({ user: await ownUser(context, me.member) }),
})

export const usersMe = defineCall({
  ...{ id: 'C26', path: '/users/me', ...own },
  summary: 'The own profile, bare',
  answer: Self,
  handle: async ({ context, me }) => done(await ownUser(context, me.member)),
})

/** All that a deactivated account may send: it comes back by this (api-contract C29). */
const Return = z.strictObject({ visibility: z.literal('active') })

export const editMe = defineCall({
  ...{ id: 'C08', method: 'PUT', path: '/users/me', caller: 'account' },
  summary: 'Change the own profile; a deactivated account comes back with visibility active',
  body: ProfileEdit,
  answer: SelfUser,
  refusals: [400, 403, 409, 429],
  invalid: 'Could not update profile',
  admit: (me, body) =>
    me.status === 'active' || Return.safeParse(body).success
      ? done(null)
      : refused(403, 'Account deactivated', { code: 'deactivated' }),
  async handle({ context, me, acting, body, commandId }) {
    if (me.status === 'active') {
      const edited = await editOwn(acting, { edit: body, commandId })
      return edited.ok ? done({ user: await ownUser(context, me.member) }) : edited
    }
    const back = await reactivate(acting, { commandId })
    if (!back.ok) return pipelineWorded(back) ?? refused(400, 'Could not update profile')
    return done({ user: await ownUser(context, me.member) })
  },
})

const UNKNOWN = 'Profile not found.'

export const user = defineCall({
  ...{ id: 'C27', method: 'GET', path: '/users/:id', caller: 'member', rate: 'READ' },
  summary: 'Another member, as the caller may see them',
  params: ById,
  answer: Encounter,
  refusals: [403, 404],
  unknown: UNKNOWN,
  async handle({ context, me, params }) {
    const options = { now: context.now(), online: context.presence.isOnline(params.id) }
    const found = await findProfile(context.read, me, params.id, options)
    if (!found) return notFound(UNKNOWN)
    if (found.access === 'unavailable') return refused(403, 'Profile requires a match to view.')
    if (found.access === 'preview' || found.access === 'locked') {
      const taken = await context.limits.takeDistinct('VIEW', me, params.id)
      if (!taken.ok) return tooMany(taken.retryInMs)
    }
    return done(found)
  },
})
