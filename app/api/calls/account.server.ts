import { deleteOwnAccount } from '../../../usecases/identity/delete-account.ts'
import { DELETION_WORDS } from '../../words/account-words.ts'
import { limitWorded } from '../../words/words.ts'
import { refusalsOf } from '../answer.ts'
import { defineCall } from '../call.server.ts'
import { OwnProof } from '../fields.ts'
import { Success, success } from '../shapes.ts'

export const deleteAccount = defineCall({
  id: 'C34',
  method: 'DELETE',
  path: '/account/delete',
  caller: 'account',
  summary: 'Delete the own account for ever; with the password where the last sign-in is more than 15 minutes ago',
  body: OwnProof,
  answer: Success,
  takes: ['CRIT'],
  refusals: refusalsOf(DELETION_WORDS),
  async handle({ acting, body }) {
    const deleted = await deleteOwnAccount(acting, body ?? {})
    return deleted.ok ? success : limitWorded(DELETION_WORDS, deleted)
  },
})
