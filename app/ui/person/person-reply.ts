import type { FormReply } from '../../forms/reply.ts'

/** What a buzz from a profile, or taking it back, came to. */
export type PersonReply = FormReply<{ matched: boolean }>
