import { z } from 'zod'
import { PASSWORD_MAX } from '../../../domain/shared/password.ts'
import { deleteOwnAccount } from '../../../usecases/identity/delete-account.ts'
import { DELETION_WORDS } from '../../words/account-words.ts'
import { limitWorded } from '../../words/words.ts'
import { refusalsOf } from '../answer.ts'
import { defineCall } from '../call.server.ts'
import { Success, success } from '../shapes.ts'

export const deleteAccount = defineCall({
  id: 'C34',
  method: 'DELETE',
  path: '/account/delete',
  caller: 'account',
  summary: 'Delete the own account for ever; with the password where the last sign-in is more than 15 minutes ago',
  body: z.object({ password: z.string().max(PASSWORD_MAX).optional() }).optional(),
  answer: Success,
  takes: ['CRIT'],
  refusals: refusalsOf(DELETION_WORDS),
  async handle({ acting, body }) {
    const deleted = await deleteOwnAccount(acting, { password: body?.password })
    return deleted.ok ? success : limitWorded(DELETION_WORDS, deleted)
  },
})
