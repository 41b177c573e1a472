import { z } from 'zod'
import { VIBES } from '../../../domain/profile/choices.ts'
import { MemberId } from '../../../domain/shared/ids.ts'
import { findAccess } from '../../../projections/view/access.ts'
import { refused } from '../../../usecases/outcome.ts'
import { buzz } from '../../../usecases/pair/buzz.ts'
import { skip } from '../../../usecases/pair/skip.ts'
import { undoSkip } from '../../../usecases/pair/undo-skip.ts'
import { withdrawBuzz } from '../../../usecases/pair/withdraw-buzz.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { editProfile } from '../../../usecases/profile/edit-profile.ts'
import { doneReply, readForm, refusedReply } from '../../forms/form.server.ts'
import { actByIntent } from '../../forms/intents.server.ts'
import { CommandId } from '../../forms/schemas.server.ts'
import { chooseLocation } from '../../ui/location/choose-location.server.ts'
import { PAIR_WORDS } from '../../words/pair-words.ts'
import { GONE } from './gone.ts'
import { keepFirst } from './kept-first.server.ts'
import type { DiscoverDone, DiscoverReply } from './reply.ts'
import { BAD_VIBE, CARD_BUZZ_WORDS, CARD_SKIP_WORDS, VIBE_WORDS } from './words.ts'

const NO_MATCH = { matched: false }
/** One card of the deck, or the one that was decided last. */
const CardForm = z.object({ to: MemberId, commandId: CommandId })
const VibeForm = z.object({ vibe: z.enum(VIBES), commandId: CommandId })

/** A form of the deck, and the deck as it is filtered, to come back to. */
type Sent = {
  readonly form: FormData
  readonly here: string
  /** Of the answer. */
  readonly headers: Headers
}

/** Everything the Discover page can do (spec 1 §4). `here`: the address of the page, with its filters. */
export function discoverAction(acting: Acting, sent: Sent): Promise<DiscoverReply> {
  const by = (act: (acting: Acting, sent: Sent) => Promise<DiscoverReply>) => () => act(acting, sent)
  return actByIntent(acting, sent.form, {
    buzz: by(buzzCard),
    skip: by(skipCard),
    undo: by(undoLastSkip),
    withdraw: by(undoLastBuzz),
    place: by(choosePlace),
    vibe: by(chooseVibe),
  })
}

async function buzzCard(acting: Acting, { form, here }: Sent): Promise<DiscoverReply> {
  const sent = readForm(form, CardForm, {})
  if (!sent.ok) return sent.reply
  const { to, commandId } = sent.value
  const outcome = await buzz(acting, { to, via: 'discover', commandId })
  if (!outcome.ok) return refusedReply(form, CARD_BUZZ_WORDS, outcome)
  return doneReply(form, followed(outcome.value.matched), outcome.value.matched ? `/match/${to}` : here)
}

async function skipCard(acting: Acting, { form, here }: Sent): Promise<DiscoverReply> {
  const sent = readForm(form, CardForm, {})
  if (!sent.ok) return sent.reply
  const outcome = await skip(acting, sent.value)
  return outcome.ok ? doneReply(form, followed(), here) : refusedReply(form, CARD_SKIP_WORDS, outcome)
}

/** What may be done next about the card: an undo, or another decision. */
const followed = (matched = false): DiscoverDone => ({ matched, next: crypto.randomUUID() })

async function undoLastSkip(acting: Acting, { form, ...page }: Sent): Promise<DiscoverReply> {
  const sent = readForm(form, CardForm, {})
  if (!sent.ok) return sent.reply
  const outcome = await undoSkip(acting, sent.value)
  // Another tab undid it already.
  const undone = outcome.ok || outcome.reason === 'not-skipped'
  return undone ? isBack(acting, sent.value.to, { form, ...page }) : refusedReply(form, PAIR_WORDS, outcome)
}

/** Of a buzz that nobody answered (ruling R11). */
async function undoLastBuzz(acting: Acting, { form, ...page }: Sent): Promise<DiscoverReply> {
  const sent = readForm(form, CardForm, {})
  if (!sent.ok) return sent.reply
  const outcome = await withdrawBuzz(acting, sent.value)
  // Another tab took it back already.
  const undone = outcome.ok || outcome.reason === 'not-buzzed'
  return undone ? isBack(acting, sent.value.to, { form, ...page }) : refusedReply(form, PAIR_WORDS, outcome)
}

/** The next deals have them first, whoever is nearer; nobody comes back who left or hid meanwhile, or one blocked the other (ruling R5). */
async function isBack({ who, read }: Acting, member: MemberId, { form, here, headers }: Sent): Promise<DiscoverReply> {
  const access = await findAccess(read, who.member, member)
  if (access === null || access === 'unavailable' || access === 'blocked-by-me')
    // The undo itself is done: script reads the page again, and knows the name for the sentence.
    return form.has('live')
      ? { status: 200, fields: {}, values: {}, code: GONE }
      : refusedReply(form, CARD_SKIP_WORDS, refused('unknown'))
  headers.append('Set-Cookie', await keepFirst(who.member, member))
  return doneReply(form, followed(), here, headers)
}

const choosePlace = (acting: Acting, { form, here }: Sent) =>
  chooseLocation(acting, form, { done: NO_MATCH, to: here, tooSoon: 'done' })

async function chooseVibe(acting: Acting, { form, here }: Sent): Promise<DiscoverReply> {
  const sent = readForm(form, VibeForm, { vibe: BAD_VIBE })
  if (!sent.ok) return sent.reply
  const { vibe, commandId } = sent.value
  const outcome = await editProfile(acting, { changes: { vibe }, commandId })
  return outcome.ok ? doneReply(form, NO_MATCH, here) : refusedReply(form, VIBE_WORDS, outcome)
}
