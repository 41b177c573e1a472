import { z } from 'zod'

/** Of a row, or a name from the code: never an address, a name or a text of somebody. */
const Id = z.string().regex(/^[\w-]{1,64}$/)

/**
 * What is done later, with what a job of each kind contains: ids alone. What is to be done about an id is in a row of
 * schema `app`, so a job whose row is gone, as of somebody erased, does nothing. These names are stored: add, never change.
 */
export const JOBS = {
  /** Has each service forget what is over. */
  sweep: z.strictObject({}),
  /** Lets others take up what a process that was killed had begun. */
  'free-killed': z.strictObject({}),
  /** Prepares a copy of a member's own data, and mails that it is ready. */
  export: z.strictObject({ export: Id }),
  /** Sends the log what it is owed: this command, with all that is due. */
  'send-owed': z.strictObject({ command: Id }),
  /** Does what a reactor owes for events. */
  react: z.strictObject({ reactor: Id }),
  /** Makes the smaller forms that pictures owe. */
  derive: z.strictObject({}),
} as const

/** The same for the kinds that `Kinds` describes. */
export type Kinds = Readonly<Record<string, z.ZodType<Readonly<Record<string, string>>>>>
export type PayloadOf<K extends Kinds, Kind extends keyof K> = z.infer<K[Kind]>
export type JobKind = keyof typeof JOBS

export { Id as JobId }
