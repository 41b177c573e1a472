import { z } from 'zod'
import { MESSAGE_MAX } from '../../../domain/pair/limits.ts'
import { MediaId, MessageId } from '../../../domain/shared/ids.ts'
import { listMessages } from '../../../projections/conversations/queries.ts'
import { countUnread } from '../../../projections/conversations/unread.ts'
import { mediaUrl } from '../../../services/media/media-url.ts'
import { markRead } from '../../../usecases/chat/mark-read.ts'
import { type SendRefusal, type SentMessage, sendMessage } from '../../../usecases/chat/send-message.ts'
import { done, type Refused } from '../../../usecases/outcome.ts'
import { CHAT_WORDS, PAIR_WORDS } from '../../words/pair-words.ts'
import { PIPELINE_WORDS, pipelineWorded, worded } from '../../words/words.ts'
import { refusalsOf } from '../answer.ts'
import { defineCall } from '../call.server.ts'
import { ByUserId, limit, textUpTo } from '../fields.ts'
import { notFound } from '../refusal.server.ts'
import { Message, Success, success } from '../shapes.ts'

const pipeline = refusalsOf(PIPELINE_WORDS)
const room = '/chat/:userId' as const

export const messages = defineCall({
  id: 'N4',
  method: 'GET',
  path: `${room}/messages`,
  caller: 'member',
  rate: 'READ',
  summary: 'What was said with a match, newest first',
  params: ByUserId,
  query: z.object({
    before: MessageId.optional(),
    limit,
  }),
  answer: z.object({ messages: z.array(Message), before: z.string().nullable() }),
  async handle({ context, me, params, query: { before, limit } }) {
    const asked = { ...(before && { before }), ...(limit && { limit }) }
    const page = await listMessages(context.read, me, params.userId, asked)
    return page ? done(page) : notFound()
  },
})

export const postMessage = defineCall({
  id: 'N5',
  method: 'POST',
  path: `${room}/messages`,
  caller: 'member',
  summary: 'Write to a match; the same id again answers the first message',
  params: ByUserId,
  body: z.object({
    id: MessageId,
    text: textUpTo(MESSAGE_MAX).optional(),
    mediaId: MediaId.optional(),
  }),
  answer: z.object({ message: Message }),
  takes: ['MSG'],
  refusals: [...pipeline, ...refusalsOf(CHAT_WORDS, 'too-long', 'invalid-media', 'not-matched', 'empty')],
  async handle({ acting, params, body }) {
    const { id, text = '', mediaId } = body
    const outcome = await sendMessage(acting, { to: params.userId, id, text, media: mediaId ?? null })
    return outcome.ok ? done({ message: shown(outcome.value.message) }) : chatRefused(outcome)
  },
})

/** A limit has the one sentence of all calls (api-contract §6.0). */
const chatRefused = (refused: Refused<SendRefusal>) => pipelineWorded(refused) ?? worded(CHAT_WORDS, refused)

function shown({ number: _number, media, ...message }: SentMessage) {
  return { ...message, ...(media && { media: { id: media, url: mediaUrl(media) } }) }
}

export const markRoomRead = defineCall({
  id: 'N6',
  method: 'POST',
  path: `${room}/read`,
  caller: 'member',
  summary: 'Everything up to this message is read',
  params: ByUserId,
  body: z.object({ upTo: MessageId }),
  answer: Success,
  takes: ['WRITE'],
  refusals: [...pipeline, ...refusalsOf(PAIR_WORDS, 'unknown-message')],
  async handle({ acting, params, body }) {
    const outcome = await markRead(acting, { other: params.userId, upTo: body.upTo })
    return outcome.ok ? success : worded(PAIR_WORDS, outcome)
  },
})

export const unread = defineCall({
  id: 'N6',
  method: 'GET',
  path: '/chat/unread',
  caller: 'member',
  rate: 'READ',
  summary: 'Unread messages, in all and by sender, 100 at most each',
  answer: z.object({ total: z.number(), byUser: z.record(z.string(), z.number()) }),
  handle: async ({ context, me }) => done(await countUnread(context.read, me)),
})
