import { z } from 'zod'
import type { ProfileChanges } from '../../../domain/profile/commands.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { editProfile } from '../../../usecases/profile/edit-profile.ts'
import { doneReply, readForm, refusedReply, replyWith } from '../../forms/form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import { CommandId } from '../../forms/schemas.server.ts'
import { PROFILE_FIELD_WORDS } from '../../words/profile-field-words.ts'
import { EDIT_FAILED, editWords } from '../../words/profile-words.ts'

/** The sections of a page by their names: each reads its form as the changes that it asks for. */
export type SectionSchemas = Readonly<Record<string, z.ZodType<ProfileChanges>>>

const Sent = z.object({ section: z.string().default(''), commandId: CommandId })

/** Saves one section; a plain form goes back to it on its `page` (spec 2 §2 and §5, api-contract C08). */
export async function saveSection(
  acting: Acting,
  { form, sections, page }: { form: FormData; sections: SectionSchemas; page: string },
): Promise<FormReply> {
  const { section, commandId } = Sent.parse(Object.fromEntries(form))
  const schema = Object.hasOwn(sections, section) ? sections[section] : undefined
  if (!schema) return replyWith(form, EDIT_FAILED.status, { '': EDIT_FAILED.error })
  const changes = readForm(form, schema, PROFILE_FIELD_WORDS)
  if (!changes.ok) return { ...changes.reply, form: section }
  const outcome = await editProfile(acting, { changes: changes.value, commandId })
  const reply = outcome.ok
    ? doneReply(form, true, `${page}?saved=${section}#${section}`)
    : refusedReply(form, editWords(outcome), outcome)
  return { ...reply, form: section }
}
