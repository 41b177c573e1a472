import type { SelfView } from '../../../projections/view/present-self.ts'
import { TextArea, TextInput } from '../../forms/text-input.tsx'
import { NameInputs, PhoneInput } from '../../ui/profile/fields.tsx'
import { SectionForm, type SectionPage } from '../../ui/profile/section-form.tsx'

export const PHONE_SAVED = 'Phone saved ✅'

type SectionProps = { self: SelfView; page: SectionPage }

/** `nameDays`: days until the name may change again, 0 when it may (spec 2 §4). */
export function NameSection({ self, page, nameDays }: SectionProps & { nameDays: number }) {
  const waiting = nameDays > 0
  return (
    <SectionForm
      section="name"
      title="Name"
      help={
        waiting
          ? `You can change your name again in ${nameDays} day(s).`
          : 'You can change it once in 30 days. Only your matches see your last name.'
      }
      page={page}
      stored={{ firstName: self.firstName, lastName: self.lastName }}
      disabled={waiting}
    >
      {(form) => <NameInputs first={form.field('firstName')} last={form.field('lastName')} readOnly={waiting} />}
    </SectionForm>
  )
}

export function AboutSection({ self, page }: SectionProps) {
  return (
    <SectionForm section="about" title="About you" page={page} stored={{ bio: self.bio }}>
      {(form) => (
        <TextArea
          label="Bio"
          {...form.field('bio')}
          rows={5}
          count
          help="A few lines that start a conversation: what you did last weekend, what you could talk about for hours."
        />
      )}
    </SectionForm>
  )
}

export function PlaceSection({ self, page }: SectionProps) {
  return (
    <SectionForm section="place" title="Where you live" page={page} stored={{ city: self.city, state: self.state }}>
      {(form) => (
        <div className="pair">
          <TextInput label="City" {...form.field('city')} autoComplete="address-level2" />
          <TextInput
            label="State or region"
            {...form.field('state')}
            autoComplete="address-level1"
            help="Never shown to anyone."
          />
        </div>
      )}
    </SectionForm>
  )
}

export function FactsSection({ self, page }: SectionProps) {
  const stored = { height: self.height === null ? '' : String(self.height), orientation: self.orientation }
  return (
    <SectionForm section="facts" title="Height and orientation" page={page} stored={stored}>
      {(form) => (
        <div className="pair">
          <TextInput label="Height in centimetres" {...form.field('height')} type="number" inputMode="numeric" />
          <TextInput label="Orientation" {...form.field('orientation')} help="In your own words." />
        </div>
      )}
    </SectionForm>
  )
}

export function PhoneSection({ self, page }: SectionProps) {
  return (
    <SectionForm
      section="phone"
      title="Phone"
      page={page}
      stored={{ phone: self.phone }}
      done={PHONE_SAVED}
      prefix="own-"
    >
      {(form) => <PhoneInput {...form.field('phone')} />}
    </SectionForm>
  )
}
