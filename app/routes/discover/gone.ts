import type { FormReply } from '../../forms/reply.ts'

/**
 * Refused for one of these, nobody will answer the card: they left or hid, or one blocked the other (ruling R5). Reasons
 * of one word are their own codes.
 */
export const GONE = ['closed', 'blocked', 'unknown'] as const

export const isGone = ({ code }: FormReply): boolean => GONE.some((reason) => reason === code)

/** Only the card knows the name. */
export const goneWords = (firstName = 'This person'): string => `${firstName} is no longer here.`
