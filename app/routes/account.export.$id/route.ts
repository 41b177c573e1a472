import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import type { RequestContext } from '../../request/context.server.ts'
import { EXPORT_GONE } from '../../request/export-url.ts'
import { notFound, requireMember } from '../../request/guards.server.ts'

/**
 * The zip of an export, to its owner alone: by the page's session, or by a bearer token. One that is not there, for whatever
 * reason, leads a page to where a new one is asked for.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { me, byToken } = await ownerOf(context)
  const opened = await context.exports.open(me, params.id ?? '')
  if (!opened) throw byToken ? notFound() : redirect(EXPORT_GONE)
  const day = context.now().toISOString().slice(0, 10)
  const isHead = request.method === 'HEAD'
  if (isHead) await opened.body.cancel()
  return new Response(isHead ? null : opened.body, {
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
  if (bearer?.status === 'active') return { me: bearer.member, byToken: true }
  return { me: (await requireMember(context)).who.member, byToken: false }
}
