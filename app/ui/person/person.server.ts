import { redirect } from '@remix-run/node'
import { MemberId } from '../../../domain/shared/ids.ts'
import { findProfile, getSelf } from '../../../projections/profiles/queries.ts'
import { findAccess } from '../../../projections/view/access.ts'
import { buzz } from '../../../usecases/pair/buzz.ts'
import { withdrawBuzz } from '../../../usecases/pair/withdraw-buzz.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { answerForm, commandIdOf, textOf } from '../../forms/forms.server.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { BUZZ_WORDS } from '../../words/pair-words.ts'
import { type Worded, worded } from '../../words/words.ts'

/** `full` shows all that access allows, `view` the same but the short form to who is no match, `preview` always that. */
export type PersonForm = 'full' | 'view' | 'preview'
export type PersonAnswer = { ok: true; matched: boolean } | Worded
type Asked = { me: MemberId; userId: string | undefined; form: PersonForm }

const says = (status: number, text: string) => new Response(text, { status, statusText: text })
const TOO_MANY = 'Too many requests. Please try again later.'

/** The member of the address; 404 for what cannot be one, and off to the own profile for oneself. */
export function personOf({ me, userId }: Pick<Asked, 'me' | 'userId'>): MemberId {
  const owner = MemberId.safeParse(userId)
  if (!owner.success) throw says(404, 'Profile not found.')
  if (owner.data === me) throw redirect('/profile')
  return owner.data
}

/** Another member as this address shows them; throws 403, 404 and 429 (ruling R1 and R5, api-contract C27). */
export async function loadPerson(context: RequestContext, { me, userId, form }: Asked) {
  const owner = personOf({ me, userId })
  const { read, presence } = context
  const now = context.now()
  const limited = form === 'preview' || (form === 'view' && (await findAccess(read, me, owner)) !== 'matched')
  const [found, self] = await Promise.all([
    findProfile(read, me, owner, { now, online: presence.isOnline(owner), limited }),
    getSelf(read, me, now),
  ])
  if (!found || found.access === 'self') throw says(404, 'Profile not found.')
  if (found.access === 'unavailable') throw says(403, 'Cannot view profile.')
  if (found.access === 'preview' || found.access === 'locked') {
    const taken = await context.limits.takeDistinct('VIEW', me, owner)
    if (!taken.ok) throw says(429, TOO_MANY)
  }
  return { found, limited, mine: self.interests, commandIds: { buzz: crypto.randomUUID(), other: crypto.randomUUID() } }
}

/** Buzz, or take an unanswered buzz back (spec 2 §8 "Profile like", ruling R11). */
export async function personAction(
  acting: Acting,
  { userId, form, here }: { userId: string | undefined; form: FormData; here: string },
): Promise<PersonAnswer> {
  const to = personOf({ me: acting.who.member, userId })
  const commandId = commandIdOf(form)
  switch (textOf(form, 'intent')) {
    case 'buzz': {
      const outcome = await buzz(acting, { to, via: 'profile', commandId })
      if (!outcome.ok) return worded(BUZZ_WORDS, outcome)
      const { matched } = outcome.value
      return answerForm<PersonAnswer>(form, { ok: true, matched }, matched ? `/match/${to}` : here)
    }
    case 'withdraw': {
      const outcome = await withdrawBuzz(acting, { to, commandId })
      return outcome.ok
        ? answerForm<PersonAnswer>(form, { ok: true, matched: false }, here)
        : worded(BUZZ_WORDS, outcome)
    }
    default:
      return { ok: false, status: 400, error: 'Invalid request.' }
  }
}
