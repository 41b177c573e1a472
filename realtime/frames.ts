import { z } from 'zod'
import { MediaId, MemberId, MessageId, PairId } from '../domain/shared/ids.ts'
import { Position } from '../domain/shared/recorded.ts'

const Epoch = z.string().min(1).max(64)
const frameId = z
  .string()
  .regex(/^[0-9A-Za-z:_-]{1,64}$/)
  .optional()

const event = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.strictObject({ type: z.literal(type), id: frameId, data })

/** Names of the spec that a later release answers. */
const UNSUPPORTED = [
  'buzz_rejected',
  'post:open',
  'post:close',
  'meet:request',
  'meet:accept',
  'meet:suggest',
  'meet:place:selected',
  'call:offer',
  'call:answer',
  'call:signal',
  'call:end',
] as const

const own = z.strictObject({ userId: z.string().max(64) })
const room = z.strictObject({ roomId: z.string().max(80) })

const Auth = z.strictObject({
  type: z.literal('auth'),
  token: z.string().min(1).max(2048).optional(),
  last: Position.optional(),
  epoch: Epoch.optional(),
})

const Frame = z.discriminatedUnion('type', [
  Auth,
  z.strictObject({ type: z.literal('resume'), last: Position, epoch: Epoch }),
  z.strictObject({ type: z.literal('heartbeat'), pos: Position.optional() }),
  event('register', own),
  event('user:register', own),
  event('joinRoom', room),
  event('leaveRoom', room),
  event(
    'direct:message',
    z.strictObject({
      to: MemberId,
      id: MessageId,
      roomId: PairId,
      // Its length counts once it is tidied, as in the call.
      text: z.string().optional(),
      mediaId: MediaId.optional(),
    }),
  ),
  event('typing', z.strictObject({ roomId: PairId, on: z.boolean() })),
  z.strictObject({ type: z.enum(UNSUPPORTED), id: frameId, data: z.unknown() }),
])

/** A frame from a browser that has the right shape; nothing about rights is known yet. */
export type IncomingFrame = z.infer<typeof Frame>
export type AuthFrame = z.infer<typeof Auth>
export type EventFrameIn = Exclude<IncomingFrame, { type: 'auth' | 'resume' | 'heartbeat' }>
export type HandledFrame = Exclude<EventFrameIn, { type: (typeof UNSUPPORTED)[number] }>

/** The frame; or what its error answer is `for` when it is not one. */
export function readFrame(text: string): { frame: IncomingFrame } | { frame?: undefined; for: string | null } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { for: null }
  }
  const parsed = Frame.safeParse(json)
  return parsed.success ? { frame: parsed.data } : { for: echoOf(json) }
}

export function isHandled(frame: EventFrameIn): frame is HandledFrame {
  return !(UNSUPPORTED as readonly string[]).includes(frame.type)
}

function echoOf(json: unknown): string | null {
  if (typeof json !== 'object' || json === null) return null
  const { id, type } = json as { id?: unknown; type?: unknown }
  const name = typeof id === 'string' ? id : type
  return typeof name === 'string' ? name.slice(0, 64) : null
}
