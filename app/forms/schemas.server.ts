import { z } from 'zod'

/** The id that the loader gave the form, so that a second submit is the same command; a new one for a form without. */
export const CommandId = z.uuid().catch(() => crypto.randomUUID())
