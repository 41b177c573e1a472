import { CheckboxChips, RadioGroup } from '../../forms/chips.tsx'
import type { FormState } from '../../forms/reply.ts'
import { Select } from '../../forms/select.tsx'
import { PasswordInput, TextInput } from '../../forms/text-input.tsx'
import type { Choice } from '../../ui/lists/options.tsx'
import { NameInputs } from '../../ui/profile/fields.tsx'
import { SOUGHT_CHOICES } from './choices.ts'
import { StepForm } from './step-form.tsx'
import { type LiveParts, useLiveErrors } from './use-live-errors.ts'

type PasswordsProps = {
  /** A password was chosen before: empty fields keep it. */
  hasPassword: boolean
  /** Signed up with Google, where a password is a choice. */
  byGoogle: boolean
  passwordMin: number
}

function helpOf({ hasPassword, byGoogle, passwordMin }: PasswordsProps): string {
  if (hasPassword) return 'Your password is kept. Leave this empty unless you want another one.'
  if (byGoogle) return 'You sign in with Google. Leave this empty unless you want a password too.'
  return `At least ${passwordMin} characters. A short sentence is easy to remember and hard to guess.`
}

function Passwords({ form, ...password }: PasswordsProps & { form: FormState }) {
  const help = helpOf(password)
  return (
    <div className="pair">
      <PasswordInput label="Password" {...form.field('password')} autoComplete="new-password" help={help} />
      <PasswordInput label="Confirm password" {...form.field('confirm')} autoComplete="new-password" />
    </div>
  )
}

type BasicsProps = PasswordsProps &
  LiveParts & { choices: Readonly<Record<'genders' | 'lookingFor', readonly Choice[]>> }

export function StepBasics({ parts, sentences, missing, choices, ...password }: BasicsProps) {
  const { form, sent, handlers } = useLiveErrors({ parts, sentences, missing })
  return (
    <StepForm step="basics" form={sent} handlers={handlers}>
      <NameInputs
        first={form.field('firstName')}
        last={{ ...form.field('lastName'), help: 'Only your matches see it.' }}
      />
      <Passwords form={form} {...password} />
      <TextInput
        label="Date of birth"
        {...form.field('dob')}
        type="date"
        autoComplete="bday"
        help="LetsBuzz is for adults. Others see your age, never the date."
      />
      <Select label="Gender" {...form.field('gender')} placeholder="Choose" choices={choices.genders} />
      <RadioGroup
        legend="Looking for"
        name="lookingFor"
        value={form.values('lookingFor')[0] ?? null}
        error={form.error('lookingFor')}
        choices={choices.lookingFor}
      />
      <CheckboxChips
        legend="Interested in"
        name="interestedIn"
        values={form.values('interestedIn')}
        error={form.error('interestedIn')}
        choices={SOUGHT_CHOICES}
      />
    </StepForm>
  )
}
