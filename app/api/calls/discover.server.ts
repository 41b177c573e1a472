import { z } from 'zod'
import { RESTRICTED_MODES } from '../../../domain/profile/choices.ts'
import { slowDown } from '../../../usecases/act.ts'
import { dealDeck } from '../../../usecases/discover/deal-deck.ts'
import { setLocation } from '../../../usecases/discover/set-location.ts'
import { done } from '../../../usecases/outcome.ts'
import { skip } from '../../../usecases/pair/skip.ts'
import { undoSkip } from '../../../usecases/pair/undo-skip.ts'
import { PAIR_WORDS } from '../../words/pair-words.ts'
import { restricted } from '../../words/profile-words.ts'
import { PIPELINE_WORDS, worded } from '../../words/words.ts'
import { refusalsOf } from '../answer.ts'
import { defineCall } from '../call.server.ts'
import { DeckQuery, LocationBody, To } from '../fields.ts'
import { Deck, Success, success } from '../shapes.ts'

const pipeline = refusalsOf(PIPELINE_WORDS)
const gated: readonly string[] = RESTRICTED_MODES

export const discover = defineCall({
  id: 'C06',
  method: 'GET',
  path: '/discover',
  caller: 'member',
  rate: 'DISCOVER',
  summary: 'The deck: members who fit both ways',
  query: DeckQuery,
  answer: Deck,
  takes: ['READ', 'VIEW'],
  refusals: [restricted(), ...refusalsOf(PIPELINE_WORDS, 'slow-down')],
  async handle({ context, acting, me, query }) {
    const { lat, lng, ...filters } = query
    if (filters.vibe && gated.includes(filters.vibe)) return restricted()
    const wait = await slowDown(acting, 'READ')
    if (wait) return worded(PIPELINE_WORDS, wait)
    if (lat !== undefined && lng !== undefined) await context.positions.accept(me, { lat, lng })
    const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
    const dealt = await dealDeck(acting, given)
    return dealt.ok ? done({ ...dealt.value, buzzZone: { count: 0 } }) : worded(PIPELINE_WORDS, dealt)
  },
})

export const skipMember = defineCall({
  id: 'N7',
  method: 'POST',
  path: '/discover/skip',
  caller: 'member',
  summary: 'Pass someone over',
  body: To,
  answer: Success,
  takes: ['WRITE', 'SKIP'],
  refusals: [...pipeline, ...refusalsOf(PAIR_WORDS, 'self', 'unknown', 'already-matched')],
  async handle({ acting, body, commandId }) {
    const outcome = await skip(acting, { to: body.to, commandId })
    return outcome.ok ? success : worded(PAIR_WORDS, outcome)
  },
})

export const undoSkipMember = defineCall({
  id: 'N7',
  method: 'DELETE',
  path: '/discover/skip/:to',
  caller: 'member',
  summary: 'Bring a skipped member back',
  params: To,
  answer: Success,
  takes: ['WRITE'],
  refusals: [...pipeline, ...refusalsOf(PAIR_WORDS, 'not-skipped')],
  async handle({ acting, params, commandId }) {
    const outcome = await undoSkip(acting, { to: params.to, commandId })
    return outcome.ok ? success : worded(PAIR_WORDS, outcome)
  },
})

export const location = defineCall({
  id: 'Location',
  method: 'POST',
  path: '/location',
  caller: 'member',
  summary: 'Say where one is; others only ever learn the grid cell',
  body: LocationBody,
  answer: z.object({ accepted: z.boolean() }),
  takes: ['WRITE'],
  async handle({ acting, body }) {
    const outcome = await setLocation(acting, body)
    if (!outcome.ok && outcome.reason === 'slow-down')
      return worded(PIPELINE_WORDS, { ...outcome, reason: 'slow-down' })
    return done({ accepted: outcome.ok })
  },
})
