import { GENDERS, LOOKING_FOR, LOOKING_FOR_LABELS } from '../../../domain/profile/choices.ts'
import { CheckboxChips, RadioGroup } from '../../forms/chips.tsx'
import { Select } from '../../forms/select.tsx'
import { PasswordInput, TextInput } from '../../forms/text-input.tsx'
import { NameInputs } from '../../ui/profile/fields.tsx'
import { SOUGHT_CHOICES } from './choices.ts'
import { many, one, StepForm, type StepProps } from './step-form.tsx'
import { useLiveErrors } from './use-live-errors.ts'

type BasicsProps = StepProps & {
  /** A password was chosen before: empty fields keep it. */
  hasPassword: boolean
  /** Signed up with Google, where a password is a choice. */
  byGoogle: boolean
  passwordMin: number
  /** The last date of birth of someone who is eighteen, YYYY-MM-DD. */
  latestDob: string
}

type PasswordsProps = Pick<BasicsProps, 'errors' | 'hasPassword' | 'byGoogle' | 'passwordMin'>

function helpOf({ hasPassword, byGoogle, passwordMin }: PasswordsProps): string {
  if (hasPassword) return 'Your password is kept. Leave this empty unless you want another one.'
  if (byGoogle) return 'You sign in with Google. Leave this empty unless you want a password too.'
  return `At least ${passwordMin} characters. A short sentence is easy to remember and hard to guess.`
}

function Passwords(props: PasswordsProps) {
  const { errors } = props
  const optional = props.hasPassword || props.byGoogle
  const help = helpOf(props)
  return (
    <div className="pair">
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="new-password"
        optional={optional}
        help={help}
        error={errors.password}
      />
      <PasswordInput
        label="Confirm password"
        name="confirm"
        autoComplete="new-password"
        optional={optional}
        error={errors.confirm}
      />
    </div>
  )
}

export function StepBasics({ values, errors: sent, hasPassword, byGoogle, passwordMin, latestDob }: BasicsProps) {
  const { errors, handlers } = useLiveErrors(sent, { passwordMin, latestDob, hasPassword: hasPassword || byGoogle })
  return (
    <StepForm step="basics" errors={sent} handlers={handlers}>
      <NameInputs
        first={{ defaultValue: one(values, 'firstName'), error: errors.firstName }}
        last={{ defaultValue: one(values, 'lastName'), error: errors.lastName, help: 'Only your matches see it.' }}
      />
      <Passwords errors={errors} hasPassword={hasPassword} byGoogle={byGoogle} passwordMin={passwordMin} />
      <TextInput
        label="Date of birth"
        name="dob"
        type="date"
        autoComplete="bday"
        min="1900-01-01"
        max={latestDob}
        defaultValue={one(values, 'dob')}
        error={errors.dob}
        help="LetsBuzz is for adults. Others see your age, never the date."
      />
      <Select
        label="Gender"
        name="gender"
        placeholder="Choose"
        defaultValue={one(values, 'gender')}
        error={errors.gender}
        choices={GENDERS.map((value) => ({ value, label: value }))}
      />
      <RadioGroup
        legend="Looking for"
        name="lookingFor"
        value={one(values, 'lookingFor')}
        error={errors.lookingFor}
        choices={LOOKING_FOR.map((value) => ({ value, label: LOOKING_FOR_LABELS[value] }))}
      />
      <CheckboxChips
        legend="Interested in"
        name="interestedIn"
        values={many(values, 'interestedIn')}
        error={errors.interestedIn}
        choices={SOUGHT_CHOICES}
      />
    </StepForm>
  )
}
