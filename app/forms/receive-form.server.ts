import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { ReceivedForm } from '../../services/media/form.ts'
import type { MediaFiles } from '../../services/media/media.ts'
import { UPLOAD_WORDS } from '../words/upload-words.server.ts'
import { worded } from '../words/words.ts'

type WithMedia = { readonly media: Pick<MediaFiles, 'withForm'> }
type Receiving<T> = {
  /** What the files of each name are for; others are passed over. */
  purposes: Readonly<Record<string, MediaPurpose>>
  /** The files are on disk until it ends. */
  work: (form: ReceivedForm) => Promise<T>
}

/** Receives a page's form with its files. Throws the answer to one that is broken or too large. */
export function receiveForm<T>({ media }: WithMedia, request: Request, { purposes, work }: Receiving<T>): Promise<T> {
  return media.withForm(request, purposes, (form) => {
    if (form.ok) return work(form)
    const { error, status } = worded(UPLOAD_WORDS, form)
    throw new Response(error, { status })
  })
}

/** The text fields of a page's form, for pages that take no files. */
export function receiveFields(context: WithMedia, request: Request): Promise<FormData> {
  return receiveForm(context, request, { purposes: {}, work: async ({ fields }) => fields })
}
