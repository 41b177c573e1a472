import { z } from 'zod'

/**
 * The id that the loader gave the form, so that a second submit is the same command; a new one for a form without. Random ones
 * alone: those that derive from what others send (version 5) nobody may take before them.
 */
export const CommandId = z.uuidv4().catch(() => crypto.randomUUID())

/** The code of a mail, as people type, paste and hear it: `867 071`. */
export const MailCode = z.string().transform((typed) => typed.replace(/\s/g, ''))
