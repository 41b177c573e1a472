import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import type { MediaOwner } from '../../../services/media/records.ts'
import { receiveMedia } from '../../../usecases/media/upload-media.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { requireProof } from '../../request/proof.server.ts'

export async function loader() {
  throw redirect('/')
}

/** Uploads of pages, with script: from a member, or from a visitor in the wizard. */
export async function action({ request, context }: ActionFunctionArgs) {
  const owner = await ownerOf(context, request)
  const answer = await receiveMedia(context, owner, request)
  if (answer.ok) return Response.json(answer.value)
  const { status, ok, error, retryInMs } = answer
  const wait = retryInMs === undefined ? undefined : { 'Retry-After': String(Math.ceil(retryInMs / 1000)) }
  return Response.json({ ok, error, retryInMs }, { status, headers: { ...wait } })
}

async function ownerOf(context: RequestContext, request: Request): Promise<MediaOwner> {
  const viewer = await context.viewer()
  if (viewer?.status === 'active') return { member: viewer.member }
  return { proof: (await requireProof(context, request)).id }
}
