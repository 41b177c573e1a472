import type { LoaderFunctionArgs } from '@remix-run/node'
import { MemberId } from '../../../domain/shared/ids.ts'
import { findFace } from '../../../projections/view/cards.ts'
import { notFound, requireMember } from '../../request/guards.server.ts'

/** Who a live event is about, for its toast: a push names only who, and what the member may see is read at that moment. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const from = MemberId.safeParse(params.userId)
  const face = from.success ? await findFace(context.read, acting.who.member, from.data) : null
  if (!face) throw notFound()
  const { firstName, photo } = face
  return Response.json({ firstName, photo }, { headers: { 'Cache-Control': 'no-store' } })
}
