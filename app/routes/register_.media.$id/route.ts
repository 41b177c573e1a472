import type { LoaderFunctionArgs } from '@remix-run/node'
import { notFound } from '../../request/guards.server.ts'
import { mediaAnswer } from '../../request/media-answer.server.ts'
import { requireProof } from '../../request/proof.server.ts'

/** A visitor's own upload, for the wizard's pages: until the account exists nobody else sees it. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const proof = await requireProof(context, request)
  const found = await context.media.find(params.id ?? '')
  if (!found || !('proof' in found.owner) || found.owner.proof !== proof.id) throw notFound()
  const opened = await context.media.open(found.id, request.headers.get('Range'))
  if (!opened.ok) {
    if (opened.reason === 'gone') throw notFound()
    return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${found.bytes}` } })
  }
  return mediaAnswer(opened)
}
