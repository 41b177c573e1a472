import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { NAME_COOLDOWN_MS } from '../../../domain/profile/limits.ts'
import { addMs, daysLeft } from '../../../domain/shared/dates.ts'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { textOf } from '../../forms/forms.server.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { LinkButton } from '../../ui/button.tsx'
import {
  AboutSection,
  FactsSection,
  NameSection,
  PhoneSection,
  PlaceSection,
} from '../../ui/profile/about-sections.tsx'
import { voiceAction } from '../../ui/profile/own-media.server.ts'
import { saveSection } from '../../ui/profile/sections.server.ts'
import { UnavailableBanner } from '../../ui/unavailable-banner.tsx'
import { HobbiesSection, InterestsSection, LookingSection, MeetSection, TastesSection } from './taste-sections.tsx'
import { VoiceSection } from './voice-section.tsx'

export const meta = () => pageTitle('Edit profile')

const HERE = '/profile/edit'
const FORMS = ['name', 'about', 'place', 'facts', 'interests', 'hobbies', 'tastes', 'looking', 'meet', 'phone', 'voice']

export async function loader({ context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const now = context.now()
  const self = await getSelf(context.read, me, now)
  const renameable = self.nameChangedAt ? addMs(new Date(self.nameChangedAt), NAME_COOLDOWN_MS) : now
  return {
    self,
    nameDays: daysLeft(now, renameable),
    commandIds: Object.fromEntries(FORMS.map((form) => [form, crypto.randomUUID()])),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const _me = acting.who.member
  const form = await request.formData()
  if (textOf(form, 'intent').startsWith('voice-')) {
    const voice = await voiceAction(acting, form)
    return data({ voice, section: null }, voice.status)
  }
  const section = await saveSection(acting, { form, page: HERE })
  return data({ section, voice: null }, section.status)
}

export default function EditProfile() {
  const { self, nameDays, commandIds } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const [params] = useSearchParams()
  const saved = params.get('saved')
  const props = { self, sections: { saved, refused: answer?.section ?? null, commandIds } }
  return (
    <div className="column stack stack-l">
      <header className="row spread">
        <h1>Edit profile</h1>
        <LinkButton to="/profile" icon="arrow-left">
          Back to profile
        </LinkButton>
      </header>
      <UnavailableBanner said={answer} />
      <AboutSection {...props} />
      <InterestsSection {...props} />
      <HobbiesSection {...props} />
      <VoiceSection
        voice={self.voiceIntro}
        saved={saved}
        refused={answer?.voice ?? null}
        commandId={commandIds.voice ?? ''}
      />
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
