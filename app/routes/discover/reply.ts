import type { FormReply } from '../../forms/reply.ts'

/** What a form of the Discover page came to; `towns` are those that go by the typed name. */
export type DiscoverReply = FormReply<{ matched: boolean }> & {
  readonly towns?: readonly { name: string; value: string }[]
}
