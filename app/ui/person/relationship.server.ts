import { redirect } from '@remix-run/node'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { findEncounter } from '../../../projections/view/access.ts'
import { collectEvidence } from '../../../projections/view/evidence.ts'
import { block } from '../../../usecases/pair/block.ts'
import { unblock } from '../../../usecases/pair/unblock.ts'
import { unmatch } from '../../../usecases/pair/unmatch.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { commandIdOf, textOf } from '../../forms/forms.server.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { notFound } from '../../request/guards.server.ts'
import { ownPath } from '../../request/return-to.ts'
import { PAIR_WORDS } from '../../words/pair-words.ts'
import { type Worded, worded } from '../../words/words.ts'
import { personOf } from './person.server.ts'

export type Whose = { me: MemberId; userId: string | undefined }
/** `name` is null where the member may not be seen, so that the page tells no more than a profile would (ruling R5). */
export type PartingPage = { id: MemberId; name: string | null; blocked: boolean; matched: boolean; commandId: string }

/** Whom the page asks about, or 404. `gone` members count where they can be reported (api-contract C44). */
export async function loadParting(context: RequestContext, whose: Whose, gone = false): Promise<PartingPage> {
  const id = personOf(whose)
  const { access, owner, standing } = await findEncounter(context.read, whose.me, id)
  if (access === null && !(gone && (await collectEvidence(context.read, whose.me, id)))) throw notFound()
  const matched = Boolean(standing?.matched_at)
  const named = access !== null && (access !== 'unavailable' || (matched && !standing?.blocked_me_at))
  return {
    ...{ id, matched, blocked: access === 'blocked-by-me', commandId: crypto.randomUUID() },
    name: named && owner ? owner.first_name : null,
  }
}

/** Blocks and leads home; unblocks and leads to `back` (spec 2 §2). */
export async function blockAction(acting: Acting, userId: string | undefined, form: FormData): Promise<Worded> {
  const target = personOf({ me: acting.who.member, userId })
  const undo = textOf(form, 'intent') === 'unblock'
  const outcome = await (undo ? unblock : block)(acting, { target, commandId: commandIdOf(form) })
  if (outcome.ok) throw redirect(undo ? ownPath(textOf(form, 'back'), '/profile/privacy') : '/')
  if (outcome.reason === 'unknown') throw notFound()
  return worded(PAIR_WORDS, outcome)
}

/** Ends the match and leads to the own profile (spec 2 §2). */
export async function unmatchAction(acting: Acting, userId: string | undefined, form: FormData): Promise<Worded> {
  const target = personOf({ me: acting.who.member, userId })
  const outcome = await unmatch(acting, { target, commandId: commandIdOf(form) })
  if (outcome.ok) throw redirect('/profile')
  return worded(PAIR_WORDS, outcome)
}
