import type { MediaPurpose } from '../../domain/shared/media.ts'
import { FORM_TEXT_BYTES } from '../../domain/shared/text.ts'
import { networkOf } from '../../services/limits/network.ts'
import type { ReceivedForm } from '../../services/media/form.ts'
import type { MediaFiles } from '../../services/media/media.ts'
import type { SignupProof } from '../../services/signup-proofs.ts'
import { uploadLimit } from '../../usecases/media/receive-media.ts'
import { signUpOf } from '../../usecases/register/proof.ts'
import type { RequestContext } from '../request/context.server.ts'
import { requireStillSignedIn } from '../request/guards.server.ts'
import { OTHER_SIGN_UP_WORDS, OTHERS_PAGE, OTHERS_PAGE_WORDS } from '../words/others-page.ts'
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
type Visitor = Pick<SignupProof, 'id' | 'emailKey'>
type Receiving<T> = {
  /** What the files of each name are for; others are passed over. */
  purposes: Readonly<Record<string, MediaPurpose>>
  /** Whose form it is, and its files, while nobody is signed in: who has this proof. */
  visitor?: Visitor
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

/** A form of a page that another member opened, or that is of another sign-up: its page answers it with `reply`, in which nothing of it is. */
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
  const holder = before?.member ?? visitor?.id ?? null
  const { ip, toDisk } = context
  const sender = { holder, network: networkOf(ip), isVisitor: !before?.member, toDisk }
  const uploads = uploadLimit(context, holder ?? sender.network)
  return context.media.withForm(request, { purposes, sender, uploads }, async (form) => {
    if (before) await requireStillSignedIn(context, before)
    const sent = form.ok ? form.fields : 'typed' in form ? form.typed : null
    if (visitor) refuseOthers(sent, signUpOf(visitor), OTHER_SIGN_UP_WORDS)
    else if (before) refuseOthers(sent, before.member, OTHERS_PAGE_WORDS)
    if (form.ok) return work(form)
    if ('typed' in form) throw tooLong(form.typed)
    const { error, status } = worded(UPLOAD_WORDS, form)
    throw new Response(error, { status })
  })
}

/**
 * Each form of a member's page, and of the wizard, names whose it is (`app/shell/owner.tsx`): it acts for nobody else whose
 * browser it is by then.
 */
function refuseOthers(form: FormData | null, me: string, words: string): void {
  if (!form || form.getAll('as').every((whose) => whose === me)) return
  const reply = replyTo(nameOf(form), 409, words)
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
export function receiveFields(context: Receiver, request: Request, visitor?: Visitor): Promise<FormData> {
  return receiveForm(context, request, {
    purposes: {},
    ...(visitor && { visitor }),
    work: async ({ fields }) => fields,
  })
}
