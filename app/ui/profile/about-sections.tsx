import { BIO_MAX, CITY_MAX, HEIGHT_CM } from '../../../domain/profile/limits.ts'
import type { SelfView } from '../../../projections/view/present-self.ts'
import { TextArea, TextInput } from '../../forms/text-input.tsx'
import { NameInputs, PhoneInput } from './fields.tsx'
import { SectionForm, type Sections, textProps } from './section-form.tsx'

/** What every section of the edit page gets. */
export type EditProps = { self: SelfView; sections: Sections }

/** `nameDays`: days until the name may change again, 0 when it may (spec 2 §4). */
export function NameSection({ self, sections, nameDays }: EditProps & { nameDays: number }) {
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
      <NameInputs
        first={textProps(sections, 'name', 'firstName', self.firstName)}
        last={textProps(sections, 'name', 'lastName', self.lastName)}
        disabled={waiting}
      />
    </SectionForm>
  )
}

export function AboutSection({ self, sections }: EditProps) {
  return (
    <SectionForm section="about" title="About you" sections={sections}>
      <TextArea
        label="Bio"
        {...textProps(sections, 'about', 'bio', self.bio)}
        optional
        rows={5}
        maxLength={BIO_MAX}
        count
        help="A few lines that start a conversation: what you did last weekend, what you could talk about for hours."
      />
    </SectionForm>
  )
}

export function PlaceSection({ self, sections }: EditProps) {
  return (
    <SectionForm section="place" title="Where you live" sections={sections}>
      <div className="pair">
        <TextInput
          label="City"
          {...textProps(sections, 'place', 'city', self.city)}
          optional
          autoComplete="address-level2"
          maxLength={CITY_MAX}
        />
        <TextInput
          label="State or region"
          {...textProps(sections, 'place', 'state', self.state)}
          optional
          autoComplete="address-level1"
          maxLength={CITY_MAX}
          help="Never shown to anyone."
        />
      </div>
    </SectionForm>
  )
}

export function FactsSection({ self, sections }: EditProps) {
  return (
    <SectionForm section="facts" title="Height and orientation" sections={sections}>
      <div className="pair">
        <TextInput
          label="Height in centimetres"
          {...textProps(sections, 'facts', 'height', self.height === null ? '' : String(self.height))}
          type="number"
          inputMode="numeric"
          optional
          min={HEIGHT_CM.min}
          max={HEIGHT_CM.max}
        />
        <TextInput
          label="Orientation"
          {...textProps(sections, 'facts', 'orientation', self.orientation)}
          optional
          maxLength={CITY_MAX}
          help="In your own words."
        />
      </div>
    </SectionForm>
  )
}

export function PhoneSection({ self, sections }: EditProps) {
  return (
    <SectionForm section="phone" title="Phone" sections={sections} done="Phone saved ✅">
      <PhoneInput {...textProps(sections, 'phone', 'phone', self.phone)} />
    </SectionForm>
  )
}
