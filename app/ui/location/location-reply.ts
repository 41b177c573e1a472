import type { FormReply } from '../../forms/reply.ts'

/** What the question for the place came to; `towns` are those that go by the typed name. */
export type LocationReply<Done = unknown> = FormReply<Done> & {
  readonly towns?: readonly { name: string; value: string }[]
}
