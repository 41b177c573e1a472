import type { SelfView } from '../../../projections/view/present-self.ts'
import type { SectionPage } from '../../ui/profile/section-form.tsx'
import { AboutSection, FactsSection, NameSection, PhoneSection, PlaceSection } from './about-sections.tsx'
import { HobbiesSection, InterestsSection, LookingSection, MeetSection, TastesSection } from './taste-sections.tsx'
import { VoiceSection } from './voice-section.tsx'

type SheetProps = { self: SelfView; page: SectionPage; nameDays: number }

const SHEETS: Readonly<Record<string, (props: SheetProps) => JSX.Element>> = {
  about: AboutSection,
  interests: InterestsSection,
  hobbies: HobbiesSection,
  tastes: TastesSection,
  facts: FactsSection,
  place: PlaceSection,
  name: NameSection,
  phone: PhoneSection,
  looking: LookingSection,
  meet: MeetSection,
  voice: ({ self, page }) => <VoiceSection voice={self.voiceIntro} page={page} />,
}

/** The form of the section that is open; nothing for a name that no section has. */
export function SectionSheet({ section, ...props }: SheetProps & { section: string }) {
  const Sheet = Object.hasOwn(SHEETS, section) ? SHEETS[section] : undefined
  return Sheet ? <Sheet {...props} /> : null
}
