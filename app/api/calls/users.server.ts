import { z } from 'zod'
import { findProfile } from '../../../projections/profiles/queries.ts'
import { slowDownFor } from '../../../usecases/act.ts'
import { reactivate } from '../../../usecases/identity/reactivate.ts'
import { done, type Refused, refused } from '../../../usecases/outcome.ts'
import { type EditOwnReason, editOwn } from '../../../usecases/profile/edit-own.ts'
import type { GalleryReason } from '../../../usecases/profile/gallery.ts'
import { memberOfProof, type VisitorProof } from '../../../usecases/register/proof.ts'
import { saveAnswers } from '../../../usecases/register/save-answers.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { fieldWords } from '../../words/profile-field-words.ts'
import { EDIT_FAILED, editWords, restricted } from '../../words/profile-words.ts'
import { registrationWorded } from '../../words/registration-words.server.ts'
import { PIPELINE_WORDS, pipelineWorded, type WordTable, worded } from '../../words/words.ts'
import { refusalsOf } from '../answer.ts'
import { defineCall } from '../call.server.ts'
import type { CallerOf } from '../caller.server.ts'
import { ById } from '../fields.ts'
import { ownUser } from '../own-user.server.ts'
import { ownEditOf, ProfileEdit } from '../profile-edit.server.ts'
import { loginRequired, notFound } from '../refusal.server.ts'
import { Encounter, OnboardingUser, Self } from '../shapes.ts'

const onboardingUser = (visitor: VisitorProof) => ({
  id: memberOfProof(visitor),
  email: visitor.email,
  status: 'onboarding' as const,
})

/** The member, or whoever has not finished the registration. */
const whoIs = async (context: RequestContext, me: CallerOf['newcomer']) =>
  'visitor' in me ? onboardingUser(me.visitor) : ownUser(context, me.member)

export const authMe = defineCall({
  id: 'C25',
  method: 'GET',
  path: '/auth/me',
  caller: 'newcomer',
  rate: 'READ',
  summary: 'Who the token belongs to',
  answer: z.object({ user: z.union([Self, OnboardingUser]) }),
  handle: async ({ context, me }) => done({ user: await whoIs(context, me) }),
})

export const usersMe = defineCall({
  id: 'C26',
  method: 'GET',
  path: '/users/me',
  caller: 'newcomer',
  rate: 'READ',
  summary: 'The own profile, bare',
  answer: z.union([Self, OnboardingUser]),
  handle: async ({ context, me }) => done(await whoIs(context, me)),
})

const MEDIA_WORDS: WordTable<GalleryReason> = {
  ...PIPELINE_WORDS,
  'invalid-media': { status: 400, error: 'Invalid media' },
  'no-image': EDIT_FAILED,
  'not-in-gallery': EDIT_FAILED,
  'avatar-must-be-image': EDIT_FAILED,
  'last-photo': EDIT_FAILED,
  'others-private': EDIT_FAILED,
  'avatar-stays-public': EDIT_FAILED,
}

/** The days until a name may change are in the sentence only; a throttled caller gets the wait as a number. */
function editRefused(outcome: Refused<EditOwnReason>) {
  const { reason, fields } = outcome
  if (reason === 'restricted') return restricted()
  const { status, error, code, retryInMs } = worded({ ...editWords(outcome), ...MEDIA_WORDS }, outcome)
  return {
    ok: false as const,
    status,
    error,
    ...(code && { code }),
    ...(reason === 'slow-down' && retryInMs !== undefined && { retryInMs }),
    ...(fields && { fields: fieldWords(fields) }),
  }
}

const DEACTIVATED = { ok: false, status: 403, error: 'Account deactivated', code: 'deactivated' } as const
/** All that a deactivated account may send: it comes back by this (api-contract C29). */
const Return = z.strictObject({ visibility: z.literal('active') })

export const editMe = defineCall({
  id: 'C08',
  method: 'PUT',
  path: '/users/me',
  caller: 'newcomer',
  summary:
    'Change the own profile, or answers of the wizard before there is one; a deactivated account comes back with visibility active',
  body: ProfileEdit,
  answer: z.object({ user: z.union([Self, OnboardingUser]) }),
  takes: ['WRITE', 'EDIT'],
  refusals: [DEACTIVATED, restricted(), ...refusalsOf({ ...editWords({}), ...MEDIA_WORDS })],
  invalid: 'Could not update profile',
  admit: (me, body) =>
    'visitor' in me || me.status === 'active' || Return.safeParse(body).success ? done(null) : DEACTIVATED,
  async handle({ context, me, acting, body, commandId }) {
    if (!acting) return 'visitor' in me ? answerWizard(context, me.visitor, body) : loginRequired()
    const { who } = acting
    if (who.status === 'active') {
      const edited = await editOwn(acting, { edit: ownEditOf(body), commandId })
      if (!edited.ok) return editRefused(edited)
    } else {
      const back = await reactivate(acting, { commandId })
      if (!back.ok) return pipelineWorded(back) ?? { ok: false, ...EDIT_FAILED }
    }
    return done({ user: await ownUser(context, who.member) })
  },
})

async function answerWizard(context: RequestContext, visitor: VisitorProof, answers: ProfileEdit) {
  const wait = await slowDownFor(context, 'WRITE', visitor.id)
  const saved = wait ?? (await saveAnswers(context, visitor, answers))
  if (saved.ok) return done({ user: onboardingUser(visitor) })
  const { reason } = saved
  if (reason === 'conflict' || reason === 'slow-down') return worded(PIPELINE_WORDS, { ...saved, reason })
  const refusal = registrationWorded(context.config, {
    ...saved,
    reason: reason === 'invalid' ? 'invalid-answers' : reason,
  })
  return reason === 'invalid' ? { ...refusal, ...EDIT_FAILED } : refusal
}

const UNKNOWN = 'Profile not found.'
const LOCKED = { ok: false, status: 403, error: 'Profile requires a match to view.' } as const

export const user = defineCall({
  id: 'C27',
  method: 'GET',
  path: '/users/:id',
  caller: 'member',
  rate: 'READ',
  summary: 'Another member, as the caller may see them',
  params: ById,
  answer: Encounter,
  takes: ['VIEW'],
  refusals: [LOCKED, ...refusalsOf(PIPELINE_WORDS, 'slow-down')],
  unknown: UNKNOWN,
  async handle({ context, acting, me, params }) {
    const eligible = acting.who.entitlements.restricted
    const options = { now: context.now(), online: context.presence.isOnline(params.id), eligible }
    const found = await findProfile(context.read, me, params.id, options)
    if (!found) return notFound(UNKNOWN)
    if (found.access === 'unavailable') return LOCKED
    if (found.access === 'preview' || found.access === 'locked') {
      const taken = await context.limits.takeDistinct('VIEW', me, params.id)
      if (!taken.ok) return worded(PIPELINE_WORDS, refused('slow-down', { retryInMs: taken.retryInMs }))
    }
    return done(found)
  },
})
