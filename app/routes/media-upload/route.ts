import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import type { MediaOwner } from '../../../services/media/records.ts'
import { receiveMedia } from '../../../usecases/media/receive-media.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { requireProof } from '../../request/proof.server.ts'
import { uploaded } from '../../request/uploaded.server.ts'
import { retryAfter } from '../../words/unavailable.ts'
import { UPLOAD_WORDS } from '../../words/upload-words.server.ts'
import { worded } from '../../words/words.ts'

export async function loader() {
  throw redirect('/')
}

/** Uploads of pages, with script: from a member, or from a visitor in the wizard. */
export async function action({ request, context }: ActionFunctionArgs) {
  const owner = await ownerOf(context, request)
  const stillOwner = async () => {
    context.lookAgain()
    await ownerOf(context, request)
  }
  const outcome = await receiveMedia(context, owner, (uploader, sender) =>
    context.media.receive(request, uploader, { sender, received: stillOwner }),
  )
  if (outcome.ok) return Response.json(uploaded(context.config, outcome.value))
  const { status, ...answer } = worded(UPLOAD_WORDS, outcome)
  const wait = answer.retryInMs === undefined ? undefined : { 'Retry-After': retryAfter(answer.retryInMs) }
  return Response.json(answer, { status, headers: { ...wait } })
}

async function ownerOf(context: RequestContext, request: Request): Promise<MediaOwner> {
  const viewer = await context.viewer()
  if (viewer?.status === 'active') return { member: viewer.member }
  return { proof: (await requireProof(context, request)).id }
}
