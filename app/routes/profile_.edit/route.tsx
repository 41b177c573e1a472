import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { NAME_COOLDOWN_MS } from '../../../domain/profile/limits.ts'
import { addMs, daysLeft } from '../../../domain/shared/dates.ts'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { constraintsOf } from '../../forms/form.server.ts'
import { receiveForm } from '../../forms/receive-form.server.ts'
import { sendForm } from '../../forms/send-form.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { LinkButton } from '../../ui/button.tsx'
import { UnavailableBanner } from '../../ui/feedback/unavailable-banner.tsx'
import { AboutSection, FactsSection, NameSection, PhoneSection, PlaceSection } from './about-sections.tsx'
import { editAction } from './action.server.ts'
import { PlainFields, SECTIONS } from './sections.server.ts'
import { HobbiesSection, InterestsSection, LookingSection, MeetSection, TastesSection } from './taste-sections.tsx'
import { VoiceSection } from './voice-section.tsx'

export const meta = () => pageTitle('Edit profile')

export async function loader({ context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const now = context.now()
  const self = await getSelf(context.read, me, now)
  const renameable = self.nameChangedAt ? addMs(new Date(self.nameChangedAt), NAME_COOLDOWN_MS) : now
  return {
    self,
    nameDays: daysLeft(now, renameable),
    commandIds: Object.fromEntries(
      [...Object.keys(SECTIONS), 'voice'].map((section) => [section, crypto.randomUUID()]),
    ),
    constraints: constraintsOf(PlainFields),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const reply = await receiveForm(context, request, {
    purposes: { voice: 'voice' },
    work: (form) => editAction(acting, form),
  })
  return data(reply, reply.status)
}

export const clientAction = sendForm()

export default function EditProfile() {
  const { self, nameDays, commandIds, constraints } = useLoaderData<typeof loader>()
  const reply = useSentReply<typeof action>()
  const [params] = useSearchParams()
  const page = { reply, saved: params.get('saved'), commandIds, constraints }
  const props = { self, page }
  return (
    <div className="column stack stack-l">
      <header className="row spread">
        <h1>Edit profile</h1>
        <LinkButton to="/profile" icon="arrow-left">
          Back to profile
        </LinkButton>
      </header>
      <UnavailableBanner reply={reply} />
      <AboutSection {...props} />
      <InterestsSection {...props} />
      <HobbiesSection {...props} />
      <VoiceSection voice={self.voiceIntro} page={page} />
      <FactsSection {...props} />
      <TastesSection {...props} />
      <LookingSection {...props} />
      <MeetSection {...props} />
      <PlaceSection {...props} />
      <PhoneSection {...props} />
      <NameSection {...props} nameDays={nameDays} />
    </div>
  )
}
