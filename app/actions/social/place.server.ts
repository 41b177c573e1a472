import type { MemberId } from '../../../domain/shared/ids.ts'
import type { DiscoverAnswer } from '../../lib/discover/discover-answer.ts'
import type { RequestContext } from '../../lib/request/context.server.ts'
import { answerForm, textOf } from '../../lib/request/forms.server.ts'

const UNCLEAR = { ok: false, status: 400, field: 'place' } as const

/** Where the member is: a position of the browser, or a town by name. Others only ever learn its 1 km cell. */
export async function placeAction(
  context: RequestContext,
  me: MemberId,
  form: FormData,
  back: string,
): Promise<DiscoverAnswer> {
  if (textOf(form, 'lat') !== '') return positionAction(context, me, form, back)
  const asked = textOf(form, 'town').trim()
  if (asked === '') return { ...UNCLEAR, error: 'Type a town.' }
  const named = await context.towns.find(asked)
  const towns = named ? [named] : await context.towns.search(asked)
  const [only] = towns
  if (only && towns.length === 1) {
    await context.positions.setPlace(me, only)
    return answerForm<DiscoverAnswer>(form, { ok: true, did: 'place' }, back)
  }
  if (!only) return { ...UNCLEAR, error: `No town called ${asked} is in the list. Try a larger one nearby.` }
  return {
    ...UNCLEAR,
    error: 'There is more than one. Which one is yours?',
    towns: towns.map((town) => ({ name: `${town.name}, ${town.countryName}`, value: town.id })),
  }
}

async function positionAction(
  context: RequestContext,
  me: MemberId,
  form: FormData,
  back: string,
): Promise<DiscoverAnswer> {
  const accepted = await context.positions.accept(me, {
    lat: Number(textOf(form, 'lat')),
    lng: Number(textOf(form, 'lng')),
  })
  if (accepted.ok || accepted.reason === 'too-often')
    return answerForm<DiscoverAnswer>(form, { ok: true, did: 'place' }, back)
  return { ...UNCLEAR, error: 'That position does not look right. Type your town instead.' }
}
