import {
  INTERESTS,
  LOOKING_FOR,
  LOOKING_FOR_LABELS,
  PRESET_HOBBIES,
  PRIVATE_VIBE_LABELS,
  PRIVATE_VIBES,
  SOUGHT,
} from '../../../domain/profile/choices.ts'
import {
  CUSTOM_INTEREST_MAX,
  MAX_AGE,
  MAX_DISTANCE_MILES,
  MAX_FAVORITES,
  MAX_HOBBIES,
  MAX_INTERESTS,
  MIN_AGE,
} from '../../../domain/profile/limits.ts'
import type { SelfView } from '../../../projections/view/present-self.ts'
import { CheckboxChips, RadioGroup } from '../../forms/chips.tsx'
import { RangePair } from '../../forms/range-pair.tsx'
import type { FormState } from '../../forms/reply.ts'
import { Select } from '../../forms/select.tsx'
import { TextInput } from '../../forms/text-input.tsx'
import { choice, SectionForm, type SectionPage } from '../../ui/profile/section-form.tsx'
import { SOUGHT_LABELS } from '../../words/sought-labels.ts'
import { ChipsField } from './chips-field.tsx'

/** The first ten of the list are the presets (spec 2 §9, ruling R41). */
const PRESET_INTERESTS = INTERESTS.slice(0, 10)

/** For sections with a field of the same name. */
const PREFIX = 'own-'

type SectionProps = { self: SelfView; page: SectionPage }

function chips(form: FormState, name: string) {
  return {
    name,
    id: form.idOf(name),
    values: form.values(name),
    typed: form.values(`${name}-own`)[0] ?? '',
    maxCharacters: CUSTOM_INTEREST_MAX,
    error: form.error(name),
  }
}

export function InterestsSection({ self, page }: SectionProps) {
  return (
    <SectionForm
      section="interests"
      title="Interests"
      page={page}
      stored={{ interests: self.interests }}
      prefix={PREFIX}
    >
      {(form) => (
        <ChipsField
          {...chips(form, 'interests')}
          legend="Your interests"
          presets={PRESET_INTERESTS}
          suggestions={INTERESTS.slice(10)}
          max={MAX_INTERESTS}
        />
      )}
    </SectionForm>
  )
}

export function HobbiesSection({ self, page }: SectionProps) {
  return (
    <SectionForm section="hobbies" title="Hobbies" page={page} stored={{ hobbies: self.hobbies }} prefix={PREFIX}>
      {(form) => (
        <ChipsField {...chips(form, 'hobbies')} legend="Your hobbies" presets={PRESET_HOBBIES} max={MAX_HOBBIES} />
      )}
    </SectionForm>
  )
}

export function TastesSection({ self, page }: SectionProps) {
  const stored = { likes: self.likes, dislikes: self.dislikes }
  return (
    <SectionForm section="tastes" title="Likes and dislikes" page={page} stored={stored}>
      {(form) => (
        <>
          <ChipsField {...chips(form, 'likes')} legend="Your likes" max={MAX_FAVORITES} />
          <ChipsField {...chips(form, 'dislikes')} legend="Your dislikes" max={MAX_FAVORITES} />
        </>
      )}
    </SectionForm>
  )
}

const VIBES = [
  ...LOOKING_FOR.map((value) => ({ value, label: LOOKING_FOR_LABELS[value] })),
  ...PRIVATE_VIBES.map((value) => ({ value, label: `${PRIVATE_VIBE_LABELS[value]} (only matches see it)` })),
]

export function LookingSection({ self, page }: SectionProps) {
  const stored = { lookingFor: self.lookingFor, vibe: self.vibe }
  return (
    <SectionForm section="looking" title="What you look for" page={page} stored={stored}>
      {(form) => (
        <>
          <RadioGroup
            legend="Looking for"
            {...choice(form, 'lookingFor')}
            choices={LOOKING_FOR.map((value) => ({ value, label: LOOKING_FOR_LABELS[value] }))}
          />
          <Select label="Vibe of the moment" {...form.field('vibe')} choices={VIBES} />
        </>
      )}
    </SectionForm>
  )
}

export function MeetSection({ self, page }: SectionProps) {
  const { ageRange, distanceMiles } = self.preferences
  const stored = {
    interestedIn: self.interestedIn,
    ageMin: String(ageRange[0]),
    ageMax: String(ageRange[1]),
    distanceMiles: String(distanceMiles),
  }
  return (
    <SectionForm
      section="meet"
      title="Who you would like to meet"
      help="Discover shows people who fit this, and whom you fit."
      page={page}
      stored={stored}
    >
      {(form) => (
        <>
          <CheckboxChips
            legend="Interested in"
            name="interestedIn"
            values={form.values('interestedIn')}
            choices={SOUGHT.map((value) => ({ value, label: SOUGHT_LABELS[value] }))}
            error={form.error('interestedIn')}
          />
          <RangePair
            legend="Their age"
            names={['ageMin', 'ageMax']}
            min={MIN_AGE}
            max={MAX_AGE}
            value={[Number(form.values('ageMin')[0]) || ageRange[0], Number(form.values('ageMax')[0]) || ageRange[1]]}
            error={form.error('ageMin')}
          />
          <TextInput
            label="How far away, in miles"
            {...form.field('distanceMiles')}
            type="number"
            inputMode="decimal"
            min={0}
            max={MAX_DISTANCE_MILES}
            step="any"
            help={`${MAX_DISTANCE_MILES} means ${MAX_DISTANCE_MILES}+ miles: any distance.`}
          />
        </>
      )}
    </SectionForm>
  )
}
