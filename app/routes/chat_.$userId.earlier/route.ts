import type { LoaderFunctionArgs } from '@remix-run/node'
import { MemberId, MessageId } from '../../../domain/shared/ids.ts'
import { listMessages } from '../../../projections/conversations/queries.ts'
import { notFound, requireMember } from '../../request/guards.server.ts'

/**
 * The page of a room's history before a message, else the newest, for a room that is open: one that cannot be read takes no
 * page away.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { who } = await requireMember(context)
  const other = MemberId.safeParse(params.userId)
  const before = MessageId.safeParse(new URL(request.url).searchParams.get('before')).data
  const page = other.success && (await listMessages(context.read, who.member, other.data, before ? { before } : {}))
  if (!page) throw notFound()
  return Response.json({ messages: page.messages.reverse(), earlier: page.before })
}
