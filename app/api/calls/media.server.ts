import { z } from 'zod'
import { CAPTION_MAX } from '../../../domain/profile/limits.ts'
import type { MediaPurpose } from '../../../domain/shared/media.ts'
import { text } from '../../../domain/shared/text.ts'
import { mediaIdFrom } from '../../../services/media/media-url.ts'
import type { MediaOwner } from '../../../services/media/records.ts'
import { receiveMedia } from '../../../usecases/media/receive-media.ts'
import { done } from '../../../usecases/outcome.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { addMedia } from '../../../usecases/profile/add-media.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { uploaded } from '../../request/uploaded.server.ts'
import { UPLOAD_WORDS } from '../../words/upload-words.server.ts'
import { PIPELINE_WORDS, pipelineWorded, worded } from '../../words/words.ts'
import { refusalsOf } from '../answer.ts'
import { type CallAnswer, defineCall } from '../call.server.ts'

const Uploaded = z.object({ ok: z.literal(true), url: z.string(), secure_url: z.string(), id: z.string() })
const KINDS = { image: 'image', photo: 'image', video: 'video', reel: 'video' } as const
const Named = z.object({
  fileUrl: z.string().max(2048),
  type: z.enum(['image', 'photo', 'video', 'reel']).optional(),
  caption: text(CAPTION_MAX).optional(),
})
const BESIDE = { ok: false } as const
const UPLOAD_FAILED = 'Upload failed.'
const INVALID_MEDIA = { ok: false, status: 400, error: 'Invalid media' } as const
type UploadAnswer = Promise<CallAnswer<z.input<typeof Uploaded>>>

export const uploadMedia = defineCall({
  id: 'C71',
  method: 'POST',
  path: '/upload-media',
  caller: 'uploader',
  form: 'either',
  beside: BESIDE,
  invalid: UPLOAD_FAILED,
  summary: 'Upload a file, or put an own upload into the gallery',
  body: Named,
  answer: Uploaded,
  takes: ['UPLOAD', 'WRITE'],
  refusals: [...refusalsOf(UPLOAD_WORDS), ...refusalsOf(PIPELINE_WORDS), INVALID_MEDIA],
  handle: ({ body, ...input }) =>
    'fileUrl' in body ? nameUpload({ ...input, owner: input.me, named: body }) : takeUpload(input, 'photo'),
})

export const uploadMediaFile = defineCall({
  id: 'C71',
  method: 'POST',
  path: '/upload-media-file',
  caller: 'uploader',
  form: 'multipart',
  beside: BESIDE,
  invalid: UPLOAD_FAILED,
  summary: 'Upload a file for a purpose',
  answer: Uploaded,
  takes: ['UPLOAD'],
  refusals: refusalsOf(UPLOAD_WORDS),
  handle: (input) => takeUpload(input),
})

type Sending = { context: RequestContext; request: Request; me: MediaOwner; stillAdmitted: () => Promise<void> }

/** `assumed`: what the path's file is for where its form names nothing. */
async function takeUpload({ context, request, me, stillAdmitted }: Sending, assumed?: MediaPurpose): UploadAnswer {
  const outcome = await receiveMedia(context, me, (uploader, sender) =>
    context.media.receive(request, uploader, { sender, received: stillAdmitted, ...(assumed && { assumed }) }),
  )
  return outcome.ok ? done(uploaded(context.config, outcome.value)) : worded(UPLOAD_WORDS, outcome)
}

type Naming = {
  context: RequestContext
  owner: MediaOwner
  acting: Acting | null
  named: z.output<typeof Named>
  commandId: string
}

/** A visitor's uploads are taken up by the registration: for them it only confirms that the upload is theirs. */
async function nameUpload({ context, owner, acting, named, commandId }: Naming): UploadAnswer {
  const id = mediaIdFrom(named.fileUrl, context.config.publicUrl)
  const kind = named.type && KINDS[named.type]
  const claim = id && { id, purposes: ['photo', 'avatar'] as const, ...(kind && { kind }) }
  const [own] = (claim && (await context.media.check(owner, [claim]))) || []
  if (!own) return INVALID_MEDIA
  const added = acting && (await addMedia(acting, { media: own.id, caption: named.caption ?? '', commandId }))
  if (added && !added.ok) return pipelineWorded(added) ?? { ok: false, status: 400, error: UPLOAD_FAILED }
  return done(uploaded(context.config, own))
}
