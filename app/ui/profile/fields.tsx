import type { FieldError } from '../../forms/field.tsx'
import { TextInput } from '../../forms/text-input.tsx'

/** What was typed or is stored, and what is wrong with it. */
type Given = { defaultValue: string; error?: FieldError }

/** First and last name side by side, as sign-up and the own profile ask for them. */
export function NameInputs({
  first,
  last,
  ...both
}: {
  first: Given
  last: Given & { help?: string }
  readOnly?: boolean
}) {
  return (
    <div className="pair">
      <TextInput label="First name" name="firstName" autoComplete="given-name" {...both} {...first} />
      <TextInput label="Last name" name="lastName" autoComplete="family-name" {...both} {...last} />
    </div>
  )
}

export function PhoneInput(given: Given) {
  return (
    <TextInput
      label="Phone"
      name="phone"
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      optional
      placeholder="+14155550123"
      help="Never shown to anyone."
      {...given}
    />
  )
}
