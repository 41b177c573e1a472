import { buzz } from '../../../usecases/pair/buzz.ts'
import { skip } from '../../../usecases/pair/skip.ts'
import { undoSkip } from '../../../usecases/pair/undo-skip.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { editProfile } from '../../../usecases/profile/edit-profile.ts'
import { answerForm, commandIdOf, memberOf, textOf } from '../../forms/forms.server.ts'
import { ownPath } from '../../request/return-to.ts'
import { BUZZ_WORDS, PAIR_WORDS } from '../../words/pair-words.ts'
import { worded } from '../../words/words.ts'
import type { DiscoverAnswer } from './discover-answer.ts'
import { placeAction } from './location.server.ts'

const INVALID: DiscoverAnswer = { ok: false, status: 400, error: 'Invalid request.' }

/** Everything the Discover page can do: buzz, skip, undo, say where one is, change one's vibe (spec 1 §4). */
export async function discoverAction(acting: Acting, form: FormData): Promise<DiscoverAnswer> {
  const back = ownPath(textOf(form, 'back'), '/discover')
  const commandId = commandIdOf(form)
  switch (textOf(form, 'intent')) {
    case 'buzz':
      return buzzFromDeck(acting, form, back)
    case 'skip': {
      const to = memberOf(form, 'to')
      if (!to) return INVALID
      const outcome = await skip(acting, { to, commandId })
      return outcome.ok
        ? answerForm<DiscoverAnswer>(form, { ok: true, did: 'skip' }, back)
        : worded(PAIR_WORDS, outcome)
    }
    case 'undo': {
      const to = memberOf(form, 'to')
      if (!to) return INVALID
      const outcome = await undoSkip(acting, { to, commandId })
      return outcome.ok
        ? answerForm<DiscoverAnswer>(form, { ok: true, did: 'undo' }, back)
        : worded(PAIR_WORDS, outcome)
    }
    case 'place':
      return placeAction(acting, form, back)
    case 'vibe': {
      const outcome = await editProfile(acting, { changes: { vibe: textOf(form, 'vibe') }, commandId })
      if (outcome.ok) return answerForm<DiscoverAnswer>(form, { ok: true, did: 'vibe' }, back)
      return { ok: false, status: 400, error: 'That vibe cannot be chosen here.', field: 'vibe' }
    }
    default:
      return INVALID
  }
}

async function buzzFromDeck(acting: Acting, form: FormData, back: string): Promise<DiscoverAnswer> {
  const to = memberOf(form, 'to')
  if (!to) return INVALID
  const outcome = await buzz(acting, { to, via: 'discover', commandId: commandIdOf(form) })
  if (!outcome.ok) return worded(BUZZ_WORDS, outcome)
  const { matched } = outcome.value
  return answerForm<DiscoverAnswer>(form, { ok: true, did: 'buzz', matched, with: to }, matched ? `/match/${to}` : back)
}
