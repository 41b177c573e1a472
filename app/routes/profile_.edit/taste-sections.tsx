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
import { CheckboxChips, RadioGroup } from '../../forms/chips.tsx'
import { RangePair } from '../../forms/range-pair.tsx'
import { Select } from '../../forms/select.tsx'
import { TextInput } from '../../forms/text-input.tsx'
import type { EditProps } from '../../ui/profile/about-sections.tsx'
import {
  choiceProps,
  chosenOr,
  errorsOf,
  SectionForm,
  type Sections,
  textProps,
  typedOr,
} from '../../ui/profile/section-form.tsx'
import { SOUGHT_LABELS } from '../../words/profile-labels.ts'
import { ChipsField } from './chips-field.tsx'

/** The first ten of the list are the presets (spec 2 §9, ruling R41). */
const PRESET_INTERESTS = INTERESTS.slice(0, 10)

function chipsProps(sections: Sections, section: string, name: string, stored: readonly string[]) {
  return {
    name,
    values: chosenOr(sections, section, name, stored),
    typed: typedOr(sections, section, `${name}-own`, ''),
    maxLength: CUSTOM_INTEREST_MAX,
    error: errorsOf(sections, section)[name],
  }
}

export function InterestsSection({ self, sections }: EditProps) {
  return (
    <SectionForm section="interests" title="Interests" sections={sections}>
      <ChipsField
        {...chipsProps(sections, 'interests', 'interests', self.interests)}
        legend="Your interests"
        presets={PRESET_INTERESTS}
        suggestions={INTERESTS.slice(10)}
        max={MAX_INTERESTS}
      />
    </SectionForm>
  )
}

export function HobbiesSection({ self, sections }: EditProps) {
  return (
    <SectionForm section="hobbies" title="Hobbies" sections={sections}>
      <ChipsField
        {...chipsProps(sections, 'hobbies', 'hobbies', self.hobbies)}
        legend="Your hobbies"
        presets={PRESET_HOBBIES}
        max={MAX_HOBBIES}
      />
    </SectionForm>
  )
}

export function TastesSection({ self, sections }: EditProps) {
  return (
    <SectionForm section="tastes" title="Likes and dislikes" sections={sections}>
      <ChipsField {...chipsProps(sections, 'tastes', 'likes', self.likes)} legend="Your likes" max={MAX_FAVORITES} />
      <ChipsField
        {...chipsProps(sections, 'tastes', 'dislikes', self.dislikes)}
        legend="Your dislikes"
        max={MAX_FAVORITES}
      />
    </SectionForm>
  )
}

const VIBES = [
  ...LOOKING_FOR.map((value) => ({ value, label: LOOKING_FOR_LABELS[value] })),
  ...PRIVATE_VIBES.map((value) => ({ value, label: `${PRIVATE_VIBE_LABELS[value]} (only matches see it)` })),
]

export function LookingSection({ self, sections }: EditProps) {
  return (
    <SectionForm section="looking" title="What you look for" sections={sections}>
      <RadioGroup
        legend="Looking for"
        {...choiceProps(sections, 'looking', 'lookingFor', self.lookingFor)}
        choices={LOOKING_FOR.map((value) => ({ value, label: LOOKING_FOR_LABELS[value] }))}
      />
      <Select label="Vibe of the moment" {...textProps(sections, 'looking', 'vibe', self.vibe)} choices={VIBES} />
    </SectionForm>
  )
}

export function MeetSection({ self, sections }: EditProps) {
  const errors = errorsOf(sections, 'meet')
  const { ageRange, distanceMiles } = self.preferences
  const age = (name: string, stored: number) => Number(typedOr(sections, 'meet', name, String(stored))) || stored
  return (
    <SectionForm
      section="meet"
      title="Who you would like to meet"
      help="Discover shows people who fit this, and whom you fit."
      sections={sections}
    >
      <CheckboxChips
        legend="Interested in"
        name="interestedIn"
        values={chosenOr(sections, 'meet', 'interestedIn', self.interestedIn)}
        choices={SOUGHT.map((value) => ({ value, label: SOUGHT_LABELS[value] }))}
        error={errors.interestedIn}
      />
      <RangePair
        legend="Their age"
        names={['ageMin', 'ageMax']}
        min={MIN_AGE}
        max={MAX_AGE}
        value={[age('ageMin', ageRange[0]), age('ageMax', ageRange[1])]}
        error={errors.ageMin}
      />
      <TextInput
        label="How far away, in miles"
        name="distanceMiles"
        type="number"
        inputMode="numeric"
        min={0}
        max={MAX_DISTANCE_MILES}
        defaultValue={typedOr(sections, 'meet', 'distanceMiles', String(distanceMiles))}
        error={errors.distanceMiles}
        help={`${MAX_DISTANCE_MILES} means ${MAX_DISTANCE_MILES}+ miles: any distance.`}
      />
    </SectionForm>
  )
}
