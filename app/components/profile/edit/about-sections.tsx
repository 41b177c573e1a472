import { BIO_MAX, CITY_MAX, HEIGHT_CM, NAME_MAX } from '../../../../domain/profile/limits.ts'
import type { SelfView } from '../../../../projections/present-self.ts'
import { TextArea, TextInput } from '../../form/text-input.tsx'
import { errorsOf, SectionForm, type Sections, typedOr } from './section-form.tsx'

/** What every section of the edit page gets. */
export type EditProps = { self: SelfView; sections: Sections }

/** `nameDays`: days until the name may change again, 0 when it may (spec 2 §4). */
export function NameSection({ self, sections, nameDays }: EditProps & { nameDays: number }) {
  const errors = errorsOf(sections, 'name')
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
      sections={sections}
      disabled={waiting}
    >
      <div className="pair">
        <TextInput
          label="First name"
          name="firstName"
          autoComplete="given-name"
          maxLength={NAME_MAX}
          disabled={waiting}
          defaultValue={typedOr(sections, 'name', 'firstName', self.firstName)}
          error={errors.firstName}
        />
        <TextInput
          label="Last name"
          name="lastName"
          autoComplete="family-name"
          maxLength={NAME_MAX}
          disabled={waiting}
          defaultValue={typedOr(sections, 'name', 'lastName', self.lastName)}
          error={errors.lastName}
        />
      </div>
    </SectionForm>
  )
}

export function AboutSection({ self, sections }: EditProps) {
  return (
    <SectionForm section="about" title="About you" sections={sections}>
      <TextArea
        label="Bio"
        name="bio"
        optional
        rows={5}
        maxLength={BIO_MAX}
        count
        defaultValue={typedOr(sections, 'about', 'bio', self.bio)}
        error={errorsOf(sections, 'about').bio}
        help="A few lines that start a conversation: what you did last weekend, what you could talk about for hours."
      />
    </SectionForm>
  )
}

export function PlaceSection({ self, sections }: EditProps) {
  const errors = errorsOf(sections, 'place')
  return (
    <SectionForm section="place" title="Where you live" sections={sections}>
      <div className="pair">
        <TextInput
          label="City"
          name="city"
          optional
          autoComplete="address-level2"
          maxLength={CITY_MAX}
          defaultValue={typedOr(sections, 'place', 'city', self.city)}
          error={errors.city}
        />
        <TextInput
          label="State or region"
          name="state"
          optional
          autoComplete="address-level1"
          maxLength={CITY_MAX}
          defaultValue={typedOr(sections, 'place', 'state', self.state)}
          error={errors.state}
          help="Never shown to anyone."
        />
      </div>
    </SectionForm>
  )
}

export function FactsSection({ self, sections }: EditProps) {
  const errors = errorsOf(sections, 'facts')
  return (
    <SectionForm section="facts" title="Height and orientation" sections={sections}>
      <div className="pair">
        <TextInput
          label="Height in centimetres"
          name="height"
          type="number"
          inputMode="numeric"
          optional
          min={HEIGHT_CM.min}
          max={HEIGHT_CM.max}
          defaultValue={typedOr(sections, 'facts', 'height', self.height === null ? '' : String(self.height))}
          error={errors.height}
        />
        <TextInput
          label="Orientation"
          name="orientation"
          optional
          maxLength={CITY_MAX}
          defaultValue={typedOr(sections, 'facts', 'orientation', self.orientation)}
          error={errors.orientation}
          help="In your own words."
        />
      </div>
    </SectionForm>
  )
}

export function PhoneSection({ self, sections }: EditProps) {
  return (
    <SectionForm section="phone" title="Phone" sections={sections} done="Phone saved ✅">
      <TextInput
        label="Phone"
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        optional
        placeholder="+14155550123"
        defaultValue={typedOr(sections, 'phone', 'phone', self.phone)}
        error={errorsOf(sections, 'phone').phone}
        help="Never shown to anyone."
      />
    </SectionForm>
  )
}
