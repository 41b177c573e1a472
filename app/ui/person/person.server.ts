import { z } from 'zod'
import { findProfile, getOwnCard } from '../../../projections/profiles/queries.ts'
import { buzz } from '../../../usecases/pair/buzz.ts'
import { withdrawBuzz } from '../../../usecases/pair/withdraw-buzz.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { doneReply, readForm, refusedReply } from '../../forms/form.server.ts'
import { actByIntent } from '../../forms/intents.server.ts'
import { CommandId } from '../../forms/schemas.server.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { BUZZ_WORDS } from '../../words/pair-words.ts'
import { type Addressed, requireOther } from './other-member.server.ts'
import type { PersonReply } from './person-reply.ts'

/**
 * `full` shows all that access allows, `view` the same but the short form to who is no match, `preview` always that.
 */
export type ProfilePage = 'full' | 'view' | 'preview'
const LIMITED = { full: false, view: 'unless-matched', preview: true } as const

const BuzzForm = z.object({ commandId: CommandId })

const failure = (status: number, text: string) => new Response(text, { status, statusText: text })
const TOO_MANY = 'Too many requests. Please try again later.'

/** Another member as this address shows them; throws 403, 404 and 429 (ruling R1 and R5, api-contract C27). */
export async function loadPerson(context: RequestContext, { me, userId, page }: Addressed & { page: ProfilePage }) {
  const owner = requireOther({ me, userId })
  const { read, presence } = context
  const [found, own] = await Promise.all([
    findProfile(read, me, owner, { now: context.now(), online: presence.isOnline(owner), limited: LIMITED[page] }),
    getOwnCard(read, me),
  ])
  if (!found || found.access === 'self') throw failure(404, 'Profile not found.')
  if (found.access === 'unavailable') throw failure(403, 'Cannot view profile.')
  if (found.access === 'preview' || found.access === 'locked') {
    const taken = await context.limits.takeDistinct('VIEW', me, owner)
    if (!taken.ok) throw failure(429, TOO_MANY)
  }
  return { found, mine: own.interests, commandIds: { buzz: crypto.randomUUID(), other: crypto.randomUUID() } }
}

/** Buzz, or take an unanswered buzz back; a plain form comes back `here` (spec 2 §8 "Profile like", ruling R11). */
export function personAction(
  acting: Acting,
  { userId, form, here }: { userId: string | undefined; form: FormData; here: string },
): Promise<PersonReply> {
  const to = requireOther({ me: acting.who.member, userId })
  return actByIntent({ acting, to, here }, form, { buzz: buzzPerson, withdraw: takeBuzzBack })
}

type Asked = { acting: Acting; to: ReturnType<typeof requireOther>; here: string }

async function buzzPerson({ acting, to, here }: Asked, form: FormData): Promise<PersonReply> {
  const sent = readForm(form, BuzzForm, {})
  if (!sent.ok) return sent.reply
  const outcome = await buzz(acting, { to, via: 'profile', ...sent.value })
  if (!outcome.ok) return refusedReply(form, BUZZ_WORDS, outcome)
  return doneReply(form, outcome.value, outcome.value.matched ? `/match/${to}` : here)
}

async function takeBuzzBack({ acting, to, here }: Asked, form: FormData): Promise<PersonReply> {
  const sent = readForm(form, BuzzForm, {})
  if (!sent.ok) return sent.reply
  const outcome = await withdrawBuzz(acting, { to, ...sent.value })
  return outcome.ok ? doneReply(form, { matched: false }, here) : refusedReply(form, BUZZ_WORDS, outcome)
}
