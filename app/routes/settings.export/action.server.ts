import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { askForExport } from '../../../usecases/identity/export-data.ts'
import type { SignedIn } from '../../../usecases/ports.ts'
import { readForm, refusedReply } from '../../forms/form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import { EXPORT_WORDS } from '../../words/account-words.ts'

const ExportForm = z.object({
  intent: z.literal('export'),
  password: z.string().optional(),
  code: z.string().optional(),
})

/** Asks for a copy; the page then shows how far it is. */
export async function exportAction(acting: SignedIn, form: FormData): Promise<FormReply> {
  const sent = readForm(form, ExportForm, {})
  if (!sent.ok) return sent.reply
  const asked = await askForExport(acting, sent.value)
  if (asked.ok) throw redirect('/settings/export')
  return refusedReply(form, EXPORT_WORDS, asked)
}
