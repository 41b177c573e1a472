import { z } from 'zod'
import type { PairRefusal } from '../../../domain/pair/decider.ts'
import { REASON_MAX } from '../../../domain/safety/commands.ts'
import { MediaId, MemberId, MessageId } from '../../../domain/shared/ids.ts'
import { tidy } from '../../../domain/shared/text.ts'
import type { PipelineRefusal } from '../../../usecases/act.ts'
import { done, type Outcome } from '../../../usecases/outcome.ts'
import { block } from '../../../usecases/pair/block.ts'
import { buzz } from '../../../usecases/pair/buzz.ts'
import { unblock } from '../../../usecases/pair/unblock.ts'
import { unmatch } from '../../../usecases/pair/unmatch.ts'
import { type ReportRefusal, report } from '../../../usecases/safety/report.ts'
import { BUZZ_WORDS, PAIR_WORDS } from '../../words/pair-words.ts'
import { PIPELINE_WORDS, type WordTable, worded } from '../../words/words.ts'
import { refusalsOf } from '../answer.ts'
import { defineCall } from '../call.server.ts'
import { ById, ByUserId, To, textUpTo } from '../fields.ts'
import { invalid, notFound } from '../refusal.server.ts'
import { Success, success, time } from '../shapes.ts'

/** Whatever a command may come to. */
const PIPELINE = ['conflict', 'reused', 'slow-down'] as const
const ended = (outcome: Outcome<unknown, PairRefusal | PipelineRefusal | 'unknown'>) =>
  outcome.ok ? success : worded(PAIR_WORDS, outcome)

export const like = defineCall({
  id: 'C07',
  method: 'POST',
  path: '/likes',
  caller: 'member',
  summary: 'Buzz someone; the second of two makes the match',
  body: To,
  answer: z.object({ success: z.literal(true), matched: z.boolean() }),
  takes: ['LIKE'],
  refusals: refusalsOf(BUZZ_WORDS, ...PIPELINE, 'self', 'closed', 'unknown', 'already-buzzed', 'already-matched'),
  async handle({ acting, body, commandId }) {
    const outcome = await buzz(acting, { to: body.to, via: 'profile', commandId })
    return outcome.ok ? done({ success: true as const, matched: outcome.value.matched }) : worded(BUZZ_WORDS, outcome)
  },
})

export const blockMember = defineCall({
  id: 'C40',
  method: 'POST',
  path: '/block',
  caller: 'member',
  summary: 'Shut someone out, both ways',
  body: z.object({ targetId: MemberId }),
  answer: Success,
  takes: ['BLOCK'],
  refusals: refusalsOf(PAIR_WORDS, ...PIPELINE, 'self', 'unknown'),
  handle: async ({ acting, body, commandId }) => ended(await block(acting, { target: body.targetId, commandId })),
})

export const blockSender = defineCall({
  id: 'C45',
  method: 'POST',
  path: '/notifications/block/:userId',
  caller: 'member',
  summary: 'The same from a notification',
  params: ByUserId,
  answer: Success,
  takes: ['BLOCK'],
  refusals: refusalsOf(PAIR_WORDS, ...PIPELINE, 'self', 'unknown'),
  handle: async ({ acting, params, commandId }) => ended(await block(acting, { target: params.userId, commandId })),
})

export const unblockMember = defineCall({
  id: 'C41',
  method: 'DELETE',
  path: '/blocks/:id',
  caller: 'member',
  summary: 'Lift the own block; the match does not come back',
  params: ById,
  answer: Success,
  takes: ['WRITE'],
  refusals: refusalsOf(PAIR_WORDS, ...PIPELINE, 'not-blocked'),
  handle: async ({ acting, params, commandId }) => ended(await unblock(acting, { target: params.id, commandId })),
})

export const unblockByPost = defineCall({
  id: 'C42',
  method: 'POST',
  path: '/blocks/:id',
  caller: 'member',
  summary: 'The same by POST',
  params: ById,
  answer: Success,
  takes: ['WRITE'],
  refusals: refusalsOf(PAIR_WORDS, ...PIPELINE, 'not-blocked'),
  handle: async ({ acting, params, commandId }) => ended(await unblock(acting, { target: params.id, commandId })),
})

export const unmatchMember = defineCall({
  id: 'C43',
  method: 'POST',
  path: '/unmatch/:id',
  caller: 'member',
  summary: 'End a match and close its room for both',
  params: ById,
  answer: Success,
  takes: ['WRITE'],
  refusals: refusalsOf(PAIR_WORDS, ...PIPELINE, 'not-matched'),
  handle: async ({ acting, params, commandId }) => ended(await unmatch(acting, { target: params.id, commandId })),
})

const TOO_LONG = `Use at most ${REASON_MAX} characters.`
const INVALID = { status: 400, error: 'Invalid request.' } as const
const REPORT_WORDS: WordTable<ReportRefusal> = {
  ...PIPELINE_WORDS,
  'reason-required': { status: 400, error: 'A reason is required.' },
  unknown: { status: 404, error: 'Not found' },
  self: INVALID,
  'no-report': INVALID,
}
const optionalId = z.string().max(64).optional()

export const reportMember = defineCall({
  id: 'C44',
  method: 'POST',
  path: '/report',
  caller: 'member',
  summary: 'Report a member; they are never told',
  body: z.object({
    targetId: MemberId,
    reason: textUpTo(REASON_MAX).optional(),
    postId: optionalId,
    commentId: optionalId,
    messageId: MessageId.optional(),
    mediaId: MediaId.optional(),
  }),
  answer: z.object({ success: z.literal(true), reportId: z.string(), receivedAt: time }),
  takes: ['REPORT'],
  refusals: refusalsOf(REPORT_WORDS),
  async handle({ acting, body, commandId }) {
    const { targetId, reason = '', messageId: message, mediaId: media, postId, commentId } = body
    // Nobody can have seen one: the product has no posts yet.
    if (postId !== undefined || commentId !== undefined) return notFound()
    const outcome = await report(acting, { target: targetId, reason, message, media, commandId })
    if (outcome.ok)
      return done({ success: true as const, reportId: outcome.value.report, receivedAt: outcome.value.receivedAt })
    if (outcome.reason === 'reason-required' && tidy(reason) !== '') return invalid({ reason: TOO_LONG })
    return worded(REPORT_WORDS, outcome)
  },
})
