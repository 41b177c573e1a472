import { redirect, redirectDocument } from '@remix-run/node'
import { z } from 'zod'
import type { MemberRefusal } from '../../../domain/identity/member.ts'
import type { PipelineRefusal } from '../../../usecases/act.ts'
import { type AskDeletionRefusal, proveForDeletion, withoutPasswords } from '../../../usecases/identity/ask-deletion.ts'
import { deactivate } from '../../../usecases/identity/deactivate.ts'
import { type DeletionRefusal, deleteOwnAccount } from '../../../usecases/identity/delete-account.ts'
import { reactivate } from '../../../usecases/identity/reactivate.ts'
import type { SignedIn } from '../../../usecases/ports.ts'
import { readForm, refusedReply } from '../../forms/form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import { CommandId } from '../../forms/schemas.server.ts'
import { deletedHeaders, leavingHeaders } from '../../request/leaving-headers.server.ts'
import { DELETION_WORDS, EXPORT_WORDS } from '../../words/account-words.ts'
import { LOGIN_AGAIN } from '../../words/second-factor-words.ts'
import { PIPELINE_WORDS, type WordTable } from '../../words/words.ts'
import { DELETE_WORD, GOOGLE_AGAIN } from './delete-words.ts'

const HERE = '/settings/delete'

/** Asked for with the word too, where the last question waited for too long. */
const PROOF = { password: z.string().optional(), code: z.string().optional() }
/** The forms of the page, by their intent. */
const ManageForm = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('reactivate'), commandId: CommandId }),
  z.object({ intent: z.literal('deactivate'), commandId: CommandId }),
  z.object({ intent: z.literal('ask-delete'), ...PROOF }),
  z.object({
    intent: z.literal('delete'),
    typed: z.string().trim().toUpperCase().pipe(z.literal(DELETE_WORD)),
    ...PROOF,
  }),
])
const FIELDS = { typed: `Type ${DELETE_WORD} to confirm.` }

const statusWords = (error: string): WordTable<MemberRefusal | PipelineRefusal> => {
  const failed = { status: 409, error }
  return {
    ...PIPELINE_WORDS,
    'already-registered': failed,
    unknown: failed,
    already: failed,
    suspended: failed,
  }
}
const REACTIVATE_WORDS = statusWords('Could not reactivate account.')
const DEACTIVATE_WORDS = statusWords('Could not deactivate account.')
const LEAVING_WORDS: WordTable<DeletionRefusal | AskDeletionRefusal> = {
  ...DELETION_WORDS,
  'wrong-password': EXPORT_WORDS['wrong-password'],
  'login-again': { ...LOGIN_AGAIN, error: GOOGLE_AGAIN },
}

/**
 * Leaves for a while, comes back, or leaves for good: password first, then the word (ruling R25, ruling R26). Whoever left
 * gets a whole new page: nothing of this one outlives the session.
 */
export async function manageAction(acting: SignedIn, request: Request, form: FormData): Promise<FormReply> {
  const sent = readForm(form, ManageForm, FIELDS)
  if (!sent.ok) return sent.reply
  switch (sent.value.intent) {
    case 'reactivate': {
      const outcome = await reactivate(acting, sent.value)
      if (outcome.ok) throw redirect(`${HERE}?welcome`)
      return refusedReply(form, REACTIVATE_WORDS, outcome)
    }
    case 'deactivate': {
      const outcome = await deactivate(acting, sent.value)
      if (outcome.ok) throw redirectDocument('/?deactivated', { headers: leavingHeaders(request) })
      return refusedReply(form, DEACTIVATE_WORDS, outcome)
    }
    case 'ask-delete': {
      const proven = await proveForDeletion(acting, sent.value)
      if (proven.ok) throw redirect(`${HERE}?confirm=delete`)
      return refusedReply(form, LEAVING_WORDS, proven)
    }
    case 'delete': {
      const deleted = await deleteOwnAccount(acting, sent.value)
      if (deleted.ok) throw redirectDocument('/?goodbye', { headers: deletedHeaders(request) })
      return refusedReply(form, LEAVING_WORDS, await withoutPasswords(acting, deleted))
    }
  }
}
