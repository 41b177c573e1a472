import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { z } from 'zod'
import type { MediaOwner } from '../../../services/media/records.ts'
import { receiveMedia } from '../../../usecases/media/receive-media.ts'
import { signUpOf } from '../../../usecases/register/proof.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { requireProof } from '../../request/proof.server.ts'
import { uploaded } from '../../request/uploaded.server.ts'
import { OTHER_SIGN_UP_WORDS, OTHERS_PAGE, OTHERS_PAGE_WORDS } from '../../words/others-page.ts'
import { retryAfter } from '../../words/unavailable.ts'
import { PAGE_UPLOAD_WORDS, SENT_WORDS } from '../../words/upload-words.server.ts'
import { worded } from '../../words/words.ts'

const Purpose = z.enum(['photo', 'avatar', 'voice'])

export async function loader() {
  throw redirect('/')
}

/**
 * Uploads of pages, with script: from a member, or from a visitor in the wizard. The address names the purpose, so that
 * a refusal before anything is read states what can be chosen, and whose page it is, which is nobody else's by then.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const owner = await ownerOf(context, request)
  const stillOwner = async () => {
    context.lookAgain()
    await ownerOf(context, request)
  }
  const purpose = Purpose.safeParse(new URL(request.url).searchParams.get('purpose')).data
  const outcome = await receiveMedia(context, owner, (uploader, sender) =>
    context.media.receive(request, uploader, { sender, received: stillOwner, ...(purpose && { purpose }) }),
  )
  if (outcome.ok) return Response.json(uploaded(context.config, outcome.value))
  const { status, ...answer } = worded(purpose ? SENT_WORDS[purpose] : PAGE_UPLOAD_WORDS, outcome)
  const wait = answer.retryInMs === undefined ? undefined : { 'Retry-After': retryAfter(answer.retryInMs) }
  return Response.json(answer, { status, headers: { ...wait } })
}

async function ownerOf(context: RequestContext, request: Request): Promise<MediaOwner> {
  const viewer = await context.viewer()
  if (viewer?.status === 'active') {
    refuseOthers(request, viewer.member, OTHERS_PAGE_WORDS)
    return { member: viewer.member }
  }
  const proof = await requireProof(context, request)
  refuseOthers(request, signUpOf(proof), OTHER_SIGN_UP_WORDS)
  return { proof: proof.id }
}

function refuseOthers({ url }: Request, me: string, error: string): void {
  const as = new URL(url).searchParams.getAll('as')
  if (as.some((whose) => whose !== me)) throw Response.json({ error, code: OTHERS_PAGE }, { status: 409 })
}
