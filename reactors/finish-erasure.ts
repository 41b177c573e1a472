import type { MemberId } from '../domain/shared/ids.ts'
import type { Reactor } from './reactor.ts'

/** Throws when it did not come to its end. */
export type EraseAct = { readonly finishErasure: (member: MemberId) => Promise<void> }

/** Resumes an erasure wherever the process that began it stopped (decision 0008). */
export const finishesErasure: Reactor<EraseAct, 'AccountErased'> = {
  name: 'finish-erasure',
  on: ['AccountErased'],
  untilDone: true,
  react: ({ member }, { finishErasure }) => finishErasure(member),
}
