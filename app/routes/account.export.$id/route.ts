import type { LoaderFunctionArgs } from '@remix-run/node'
import type { RequestContext } from '../../request/context.server.ts'
import { notFound, requireMember } from '../../request/guards.server.ts'

/** The zip of an export, to its owner alone: by the page's session, or by a bearer token. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const me = await ownerOf(context)
  const opened = await context.exports.open(me, params.id ?? '')
  if (!opened) throw notFound()
  const day = context.now().toISOString().slice(0, 10)
  return new Response(opened.body, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Length': String(opened.bytes),
      'Content-Disposition': `attachment; filename="letsbuzz-${day}.zip"`,
      'Cache-Control': 'private, no-store',
    },
  })
}

async function ownerOf(context: RequestContext) {
  const bearer = await context.bearer()
  return bearer?.status === 'active' ? bearer.member : (await requireMember(context)).who.member
}
