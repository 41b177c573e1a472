import type { MediaPurpose } from '../../domain/shared/media.ts'
import { FORM_TEXT_BYTES } from '../../domain/shared/text.ts'
import { networkOf } from '../../services/limits/network.ts'
import type { ReceivedForm } from '../../services/media/form.ts'
import type { MediaFiles } from '../../services/media/media.ts'
import { uploadLimit } from '../../usecases/media/receive-media.ts'
import type { RequestContext } from '../request/context.server.ts'
import { requireStillSignedIn } from '../request/guards.server.ts'
import { OTHERS_PAGE, OTHERS_PAGE_WORDS } from '../words/others-page.ts'
import { TOO_LONG_WORDS } from '../words/too-long.ts'
import { UPLOAD_WORDS } from '../words/upload-words.server.ts'
import { worded } from '../words/words.ts'
import { replyWith } from './form.server.ts'
import type { FormReply } from './reply.ts'

/** More than any intent or section has. */
const NAME_LENGTH = 100

type Receiver = Pick<
  RequestContext,
  'viewer' | 'lookAgain' | 'returnTo' | 'cameSignedIn' | 'ip' | 'toDisk' | 'limits'
> & {
  readonly media: Pick<MediaFiles, 'withForm'>
}
type Receiving<T> = {
  /** What the files of each name are for; others are passed over. */
  purposes: Readonly<Record<string, MediaPurpose>>
  /** Whose files they are while nobody is signed in: a proof's id. */
  visitor?: string
  /** The files are on disk until it ends. */
  work: (form: ReceivedForm) => Promise<T>
}

/**
 * A form with more text than is taken. The page answers it with `reply`, as it answers any that it refuses, if what was
 * typed is in it.
 */
export class TooLongForm extends Error {
  override readonly name = 'TooLongForm'
  constructor(
    readonly reply: FormReply<never>,
    readonly isGivenBack: boolean,
  ) {
    super('The form brings more text than is taken.')
  }
}

/** A form of a page that another member opened: its page answers it with `reply`, in which nothing of it is. */
export class OthersForm extends Error {
  override readonly name = 'OthersForm'
  constructor(readonly reply: FormReply<never>) {
    super('The form is another member’s.')
  }
}

/**
 * Receives a page's form with its files. Throws the answer to one that is broken or too large, and to one whose session
 * ended before its last bytes; and an `OthersForm`, whose page another member opened.
 */
export async function receiveForm<T>(
  context: Receiver,
  request: Request,
  { purposes, visitor, work }: Receiving<T>,
): Promise<T> {
  const before = await context.viewer()
  const holder = before?.member ?? visitor ?? null
  const { ip, toDisk } = context
  const sender = { holder, network: networkOf(ip), isVisitor: !before?.member, toDisk }
  const uploads = uploadLimit(context, holder ?? sender.network)
  return context.media.withForm(request, { purposes, sender, uploads }, async (form) => {
    if (before) {
      await requireStillSignedIn(context, before)
      refuseOthers(form.ok ? form.fields : 'typed' in form ? form.typed : null, before.member)
    }
    if (form.ok) return work(form)
    if ('typed' in form) throw tooLong(form.typed)
    const { error, status } = worded(UPLOAD_WORDS, form)
    throw new Response(error, { status })
  })
}

/** Each form of a member's page names whose it is (`app/shell/owner.tsx`): it acts for nobody else who is signed in by then. */
function refuseOthers(form: FormData | null, me: string): void {
  if (!form || form.getAll('as').every((member) => member === me)) return
  const reply = replyTo(nameOf(form), 409, OTHERS_PAGE_WORDS)
  throw new OthersForm({ ...reply, values: {}, code: OTHERS_PAGE })
}

/** On a page and in its data a text is many times its size: of more than may be taken, nothing is given back. */
function tooLong(form: FormData): TooLongForm {
  const bytes = [...form].flat().reduce((sum, text) => sum + Buffer.byteLength(String(text)), 0)
  if (bytes <= FORM_TEXT_BYTES) return new TooLongForm(replyTo(form, 413, TOO_LONG_WORDS), true)
  return new TooLongForm({ ...replyTo(nameOf(form), 413, TOO_LONG_WORDS), values: {} }, false)
}

/** It names its form by the intent or the section, whichever the form has. */
function replyTo(form: FormData, status: number, words: string): FormReply<never> {
  const section = form.get('section')
  return { ...(typeof section === 'string' && { form: section }), ...replyWith(form, status, { '': words }) }
}

/** What names a form, of its fields. */
function nameOf(form: FormData): FormData {
  const name = new FormData()
  for (const key of ['section', 'intent']) {
    const value = form.get(key)
    if (typeof value === 'string' && value.length <= NAME_LENGTH) name.set(key, value)
  }
  return name
}

/** The text fields of a page's form, for pages that take no files. */
export function receiveFields(context: Receiver, request: Request): Promise<FormData> {
  return receiveForm(context, request, { purposes: {}, work: async ({ fields }) => fields })
}
