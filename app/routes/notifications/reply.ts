import type { FormReply } from '../../forms/reply.ts'

/** What a form of the notifications screen came to, in words. */
export type NotificationReply = FormReply<{ text: string; matched?: boolean }>
