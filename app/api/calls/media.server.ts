import { z } from 'zod'
import { CAPTION_MAX } from '../../../domain/profile/limits.ts'
import type { MediaId } from '../../../domain/shared/ids.ts'
import { text } from '../../../domain/shared/text.ts'
import { mediaIdFrom, mediaUrl } from '../../../services/media/media-url.ts'
import type { MediaOwner } from '../../../services/media/records.ts'
import { type Answer, done, type Refusal, refused } from '../../../usecases/answer.ts'
import { receiveMedia } from '../../../usecases/media/upload-media.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { addMedia } from '../../../usecases/profile/add-media.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { pipelineWorded } from '../../words/words.ts'
import { defineCall } from '../call.server.ts'

const Uploaded = z.object({ ok: z.literal(true), url: z.string(), secure_url: z.string(), id: z.string() })
const KINDS = { image: 'image', photo: 'image', video: 'video', reel: 'video' } as const
const Named = z.object({
  fileUrl: z.string().max(2048),
  type: z.enum(['image', 'photo', 'video', 'reel']).optional(),
  caption: text(CAPTION_MAX).optional(),
})
const failed = { beside: { ok: false }, invalid: 'Upload failed.' } as const
type Naming = { owner: MediaOwner; acting: Acting | null; named: z.output<typeof Named>; commandId: string }

export const uploadMedia = defineCall({
  ...{ id: 'C71', method: 'POST', path: '/upload-media', caller: 'uploader', form: 'either', ...failed },
  summary: 'Upload a file, or put an own upload into the gallery',
  body: Named,
  answer: Uploaded,
  refusals: [400, 413, 415, 429],
  handle: ({ context, request, me, acting, body, commandId }) =>
    'fileUrl' in body
      ? registerUpload(context, { owner: me, acting, named: body, commandId })
      : receiveMedia(context, me, request),
})

export const uploadMediaFile = defineCall({
  ...{ id: 'C71', method: 'POST', path: '/upload-media-file', caller: 'uploader', form: 'multipart', ...failed },
  summary: 'Upload a file for a purpose',
  answer: Uploaded,
  refusals: [400, 413, 415, 429],
  handle: ({ context, request, me }) => receiveMedia(context, me, request),
})

/** A visitor's uploads are taken up by the registration: for them it only says that the upload is theirs. */
async function registerUpload(
  context: RequestContext,
  { owner, acting, named, commandId }: Naming,
): Promise<Answer<z.input<typeof Uploaded>>> {
  const id = mediaIdFrom(named.fileUrl, context.config.publicUrl)
  const kind = named.type && KINDS[named.type]
  const claim = id && { id, purposes: ['photo', 'avatar'] as const, ...(kind && { kind }) }
  const [own] = (claim && (await context.media.check(owner, [claim]))) || []
  if (!own) return refused(400, 'Invalid media')
  const refusal = acting && (await intoGallery(acting, { media: own.id, caption: named.caption ?? '', commandId }))
  if (refusal) return refusal
  const url = mediaUrl(own.id)
  return done({ ok: true, url, secure_url: new URL(url, context.config.publicUrl).href, id: own.id })
}

async function intoGallery(
  acting: Acting,
  item: { media: MediaId; caption: string; commandId: string },
): Promise<Refusal | null> {
  const outcome = await addMedia(acting, item)
  return outcome.ok ? null : (pipelineWorded(outcome) ?? refused(400, 'Upload failed.'))
}
