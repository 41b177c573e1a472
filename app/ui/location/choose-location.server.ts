import { z } from 'zod'
import { setLocation } from '../../../usecases/discover/set-location.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { doneReply, readForm, refusedReply, replyWith } from '../../forms/form.server.ts'
import { locationWords, NOWHERE, SEVERAL_TOWNS, TYPE_A_TOWN, townLabel } from '../../words/location-words.ts'
import type { LocationReply } from './location-reply.ts'

const PositionForm = z.object({ lat: z.number(), lng: z.number() })
/** `townId`: the one that was chosen of several that are called so. */
const TownForm = z.object({ town: z.string(), townId: z.string().optional() })

/**
 * `done`: what a form by script gets; `to`: where a plain one leads; `tooSoon`: whether a position that came too soon after
 * another is refused, or changes nothing where any location will do.
 */
type Then<Done> = { readonly done: Done; readonly to: string; readonly tooSoon: 'refused' | 'done' }

/** The browser's position, or a town by its name. */
export async function chooseLocation<Done>(
  acting: Acting,
  form: FormData,
  { done, to, tooSoon }: Then<Done>,
): Promise<LocationReply<Done>> {
  const measured = form.has('lat')
  const sent = measured
    ? readForm(form, PositionForm, { lat: NOWHERE, lng: NOWHERE })
    : readForm(form, TownForm, { town: TYPE_A_TOWN })
  if (!sent.ok) return sent.reply
  const outcome = await setLocation(acting, 'town' in sent.value ? townOf(sent.value) : sent.value)
  if (outcome.ok || (tooSoon === 'done' && measured && outcome.reason === 'too-often')) return doneReply(form, done, to)
  if (outcome.reason === 'several-towns') {
    const towns = outcome.towns.map((town) => ({ name: townLabel(town), value: town.id }))
    return { ...replyWith<Done>(form, 400, { town: SEVERAL_TOWNS }), towns }
  }
  return refusedReply(form, locationWords('town' in sent.value ? sent.value.town : ''), outcome)
}

const townOf = ({ town, townId }: z.infer<typeof TownForm>) => ({ town: townId ?? town })
