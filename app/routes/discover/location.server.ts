import type { PositionVerdict } from '../../../services/nearby/positions.ts'
import { slowDown } from '../../../usecases/act.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { answerForm, textOf } from '../../forms/forms.server.ts'
import { inWords } from '../../words/waits.ts'
import { PIPELINE_WORDS, worded } from '../../words/words.ts'
import type { DiscoverAnswer } from './discover-answer.ts'

const UNCLEAR = { ok: false, status: 400, field: 'place' } as const

/** Where the member is: a position of the browser, or a town by name. Others only ever learn its 1 km cell. */
export async function placeAction(acting: Acting, form: FormData, back: string): Promise<DiscoverAnswer> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return worded(PIPELINE_WORDS, wait)
  if (textOf(form, 'lat') !== '') return positionAction(acting, form, back)
  const asked = textOf(form, 'town').trim()
  if (asked === '') return { ...UNCLEAR, error: 'Type a town.' }
  const named = await acting.towns.find(asked)
  const towns = named ? [named] : await acting.towns.search(asked)
  const [only] = towns
  if (only && towns.length === 1) {
    const set = await acting.positions.setPlace(acting.who.member, only)
    return set.ok ? answerForm<DiscoverAnswer>(form, { ok: true, did: 'place' }, back) : refusedPlace(set)
  }
  if (!only) return { ...UNCLEAR, error: `No town called ${asked} is in the list. Try a larger one nearby.` }
  return {
    ...UNCLEAR,
    error: 'There is more than one. Which one is yours?',
    towns: towns.map((town) => ({ name: `${town.name}, ${town.countryName}`, value: town.id })),
  }
}

async function positionAction(acting: Acting, form: FormData, back: string): Promise<DiscoverAnswer> {
  const accepted = await acting.positions.accept(acting.who.member, {
    lat: numberOf(form, 'lat'),
    lng: numberOf(form, 'lng'),
  })
  if (accepted.ok || accepted.reason === 'too-often')
    return answerForm<DiscoverAnswer>(form, { ok: true, did: 'place' }, back)
  return refusedPlace(accepted)
}

const numberOf = (form: FormData, name: string) => Number(textOf(form, name).trim() || Number.NaN)

/** A place that is too far from the last one, or too soon after it, is the same to a town and to a position. */
function refusedPlace({ reason, retryInMs = 0 }: Extract<PositionVerdict, { ok: false }>): DiscoverAnswer {
  if (reason === 'nowhere') return { ...UNCLEAR, error: 'That position does not look right. Type your town instead.' }
  const error =
    reason === 'too-fast'
      ? `That is too far from where you just were. You can go there ${inWords(retryInMs)}.`
      : `Your place changed a moment ago. You can change it again ${inWords(retryInMs)}.`
  return { ok: false, status: 429, field: 'place', error, retryInMs }
}
