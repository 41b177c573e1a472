import type { LoaderFunctionArgs } from '@remix-run/node'
import { isUploadOf } from '../../../usecases/register/uploads.ts'
import { notFound } from '../../request/guards.server.ts'
import { mediaAnswer } from '../../request/media-answer.server.ts'
import { requireProof } from '../../request/proof.server.ts'

/** A visitor's own upload, for the wizard's pages: until the account exists nobody else sees it. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const proof = await requireProof(context, request)
  const found = await context.media.find(params.id ?? '')
  if (!found || !isUploadOf(proof, found)) throw notFound()
  return mediaAnswer(context.media, { media: found, forms: await context.media.formsOf(found.id) }, request)
}
