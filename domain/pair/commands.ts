import { z } from 'zod'
import { MediaId, MemberId, MessageId } from '../shared/ids.ts'
import { text } from '../shared/text.ts'
import { Via } from './events.ts'
import { MESSAGE_MAX } from './limits.ts'

const at = z.date()
const command = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), at, ...shape })

/** `unlimited`: it does not wait behind one that was taken back (`RATE_LIMITS=off`, and tools). */
export const Buzz = command('Buzz', {
  from: MemberId,
  to: MemberId,
  via: Via,
  unlimited: z.literal(true).optional(),
})
export const WithdrawBuzz = command('WithdrawBuzz', { from: MemberId, to: MemberId })
export const Skip = command('Skip', { by: MemberId, target: MemberId })
export const UndoSkip = command('UndoSkip', { by: MemberId, target: MemberId })
export const Unmatch = command('Unmatch', { by: MemberId, target: MemberId })
export const Block = command('Block', { by: MemberId, target: MemberId })
export const Unblock = command('Unblock', { by: MemberId, target: MemberId })
export const SendMessage = command('SendMessage', {
  message: MessageId,
  from: MemberId,
  to: MemberId,
  text: text(MESSAGE_MAX),
  media: MediaId.nullable(),
})
/** `number` is the pair-wide number of the message `upTo`, as the conversation shows it. */
export const MarkRead = command('MarkRead', {
  by: MemberId,
  other: MemberId,
  upTo: MessageId,
  number: z.number().int().positive(),
})

export const PairCommand = z.discriminatedUnion('type', [
  Buzz,
  WithdrawBuzz,
  Skip,
  UndoSkip,
  Unmatch,
  Block,
  Unblock,
  SendMessage,
  MarkRead,
])
export type PairCommand = z.infer<typeof PairCommand>
export type PairCommandOf<T extends PairCommand['type']> = Extract<PairCommand, { type: T }>
