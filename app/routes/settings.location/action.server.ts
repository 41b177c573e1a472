import { forgetLocation } from '../../../usecases/discover/forget-location.ts'
import type { SignedIn } from '../../../usecases/ports.ts'
import { doneReply, refusedReply } from '../../forms/form.server.ts'
import { actByIntent } from '../../forms/intents.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import { chooseLocation } from '../../ui/location/choose-location.server.ts'
import type { LocationReply } from '../../ui/location/location-reply.ts'
import { FORGET_WORDS } from '../../words/location-words.ts'

const HERE = '/settings/location'

/** Sets anew where the member is, or has it forgotten. */
export function locationAction(acting: SignedIn, form: FormData): Promise<LocationReply> {
  return actByIntent<SignedIn, LocationReply>(acting, form, {
    place: (who, sent) => chooseLocation(who, sent, { done: null, to: `${HERE}?done=set`, tooSoon: 'refused' }),
    forget,
  })
}

async function forget(acting: SignedIn, form: FormData): Promise<FormReply> {
  const outcome = await forgetLocation(acting)
  return outcome.ok ? doneReply(form, null, `${HERE}?done=forgotten`) : refusedReply(form, FORGET_WORDS, outcome)
}
