import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { ReceivedForm } from '../../services/media/form.ts'
import type { MediaFiles } from '../../services/media/media.ts'
import type { RequestContext } from '../request/context.server.ts'
import { requireStillSignedIn } from '../request/guards.server.ts'
import { UPLOAD_WORDS } from '../words/upload-words.server.ts'
import { worded } from '../words/words.ts'

type Receiver = Pick<RequestContext, 'viewer' | 'lookAgain' | 'returnTo'> & {
  readonly media: Pick<MediaFiles, 'withForm'>
}
type Receiving<T> = {
  /** What the files of each name are for; others are passed over. */
  purposes: Readonly<Record<string, MediaPurpose>>
  /** The files are on disk until it ends. */
  work: (form: ReceivedForm) => Promise<T>
}

/**
 * Receives a page's form with its files. Throws the answer to one that is broken or too large, and to one whose session
 * ended before its last bytes.
 */
export async function receiveForm<T>(
  context: Receiver,
  request: Request,
  { purposes, work }: Receiving<T>,
): Promise<T> {
  const before = await context.viewer()
  return context.media.withForm(request, purposes, async (form) => {
    if (before) await requireStillSignedIn(context, before)
    if (form.ok) return work(form)
    const { error, status } = worded(UPLOAD_WORDS, form)
    throw new Response(error, { status })
  })
}

/** The text fields of a page's form, for pages that take no files. */
export function receiveFields(context: Receiver, request: Request): Promise<FormData> {
  return receiveForm(context, request, { purposes: {}, work: async ({ fields }) => fields })
}
