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
  passwordMin: number
  /** The last date of birth of someone who is eighteen, YYYY-MM-DD. */
  latestDob: string
}

function Passwords({ errors, hasPassword, passwordMin }: Pick<BasicsProps, 'errors' | 'hasPassword' | 'passwordMin'>) {
  const help = hasPassword
    ? 'Your password is kept. Leave this empty unless you want another one.'
    : `At least ${passwordMin} characters. A short sentence is easy to remember and hard to guess.`
  return (
    <div className="pair">
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="new-password"
        optional={hasPassword}
        help={help}
        error={errors.password}
      />
      <PasswordInput
        label="Confirm password"
        name="confirm"
        autoComplete="new-password"
        optional={hasPassword}
        error={errors.confirm}
      />
    </div>
  )
}

export function StepBasics({ values, errors: sent, hasPassword, passwordMin, latestDob }: BasicsProps) {
  const { errors, handlers } = useLiveErrors(sent, { passwordMin, latestDob, hasPassword })
  return (
    <StepForm step="basics" errors={sent} handlers={handlers}>
      <NameInputs
        first={{ defaultValue: one(values, 'firstName'), error: errors.firstName }}
        last={{ defaultValue: one(values, 'lastName'), error: errors.lastName, help: 'Only your matches see it.' }}
      />
      <Passwords errors={errors} hasPassword={hasPassword} passwordMin={passwordMin} />
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
