import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { findLocation, type OwnLocation } from '../../../usecases/discover/find-location.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { errorIn } from '../../forms/reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import type { LocationReply } from '../../ui/location/location-reply.ts'
import { placeLabel } from '../../words/location-words.ts'
import { locationAction } from './action.server.ts'
import { ChooseLocation } from './choose-location.tsx'
import { ForgetDialog } from './forget-dialog.tsx'
import { type ShownLocation, WhatIsKept } from './what-is-kept.tsx'

const HERE = '/settings/location'

export const meta = () => pageTitle('Your location')

/** What is kept of where the member is, and the way to change it (ruling R37, decision 0043). */
export async function loader({ context }: LoaderFunctionArgs) {
  const found = await findLocation(await requireMember(context))
  return { kept: found && shown(found) }
}

const shown = ({ isTown, isMoving, positionUntil, cellUntil, ...towns }: OwnLocation): ShownLocation => ({
  near: placeLabel(towns),
  isTown,
  isMoving,
  positionUntil: positionUntil?.toISOString() ?? null,
  cellUntil: cellUntil.toISOString(),
})

export async function action({ request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const reply = await locationAction(acting, await receiveFields(context, request))
  return data(reply, reply.status)
}

export const clientAction = sendForm()

export default function YourLocation() {
  const { kept } = useLoaderData<typeof loader>()
  const reply = useSentReply<LocationReply>()
  const [params] = useSearchParams()
  const isForgetting = params.get('confirm') === 'forget' && kept !== null
  return (
    <div className="column stack stack-l">
      <header className="page-bar">
        <h1>Your location</h1>
        <LinkButton to="/profile" icon="arrow-left" className="page-back">
          Back to profile
        </LinkButton>
      </header>
      <News done={params.get('done')} kept={kept} />
      <WhatIsKept kept={kept} />
      <ChooseLocation
        // What was typed is done with once a place is set.
        key={kept?.cellUntil}
        again={kept !== null}
        plain={reply?.form === 'place' ? reply : undefined}
      />
      {isForgetting ? <ForgetDialog closeTo={HERE} failed={reply?.form === 'forget' ? errorIn(reply) : null} /> : null}
    </div>
  )
}

/** What a form of this page came to, as its address has it; what is kept by now shows whether that still holds. */
function News({ done, kept }: { done: string | null; kept: ShownLocation | null }) {
  const isSet = done === 'set' && kept !== null
  if (!isSet && !(done === 'forgotten' && kept === null)) return null
  return (
    <Banner tone="leaf" live action={<LinkButton to="/discover">Go to Discover</LinkButton>}>
      <p>{isSet ? `Your location is set${kept.near && `: ${kept.near}`}.` : 'Your location is forgotten.'}</p>
    </Banner>
  )
}
