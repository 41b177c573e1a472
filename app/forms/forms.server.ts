import { redirect } from '@remix-run/node'
import { MemberId } from '../../domain/shared/ids.ts'
import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { ReceivedForm } from '../../services/media/form.ts'
import type { MediaFiles } from '../../services/media/media.ts'

const COMMAND_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

type WithMedia = { readonly media: Pick<MediaFiles, 'withForm'> }

/** The text fields of a form, read once. Throws the answer to a form that is broken or too long. */
export function readForm(context: WithMedia, request: Request): Promise<FormData> {
  return withForm(context, request, { purposes: {}, work: async ({ fields }) => fields })
}

/** The same with the files of these names, for these purposes; they are on disk until `work` ends. */
export function withForm<T>(
  { media }: WithMedia,
  request: Request,
  { purposes, work }: { purposes: Readonly<Record<string, MediaPurpose>>; work: (form: ReceivedForm) => Promise<T> },
): Promise<T> {
  return media.withForm(request, purposes, (form) => {
    if (!form.ok) throw new Response(form.error, { status: form.status })
    return work(form)
  })
}

/** One text field; empty when it is missing or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** The id that the loader gave the form, so that a second submit is the same command; a new one for a form without. */
export function commandIdOf(form: FormData): string {
  const sent = textOf(form, 'commandId')
  return COMMAND_ID.test(sent) ? sent : crypto.randomUUID()
}

/** The member a form names, or null. */
export function memberOf(form: FormData, name: string): MemberId | null {
  return MemberId.safeParse(textOf(form, name)).data ?? null
}

/**
 * A submit by script wants data; a plain form wants a page. `then` is where the plain form goes next.
 */
export function answerForm<T extends { ok: boolean }>(form: FormData, answer: T, then: string): T {
  if (!form.has('live') && answer.ok) throw redirect(then)
  return answer
}
