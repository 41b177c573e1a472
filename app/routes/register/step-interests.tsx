import { INTERESTS } from '../../../domain/profile/choices.ts'
import { MAX_INTERESTS } from '../../../domain/profile/limits.ts'
import { CheckboxChips } from '../../forms/chips.tsx'
import { many, StepForm, type StepProps } from './step-form.tsx'

export function StepInterests({ values, errors }: StepProps) {
  return (
    <StepForm step="interests" errors={errors}>
      <CheckboxChips
        legend="Your interests"
        name="interests"
        help={`Choose 1 to ${MAX_INTERESTS}. What you share with someone is marked on their card.`}
        max={MAX_INTERESTS}
        values={many(values, 'interests')}
        error={errors.interests}
        choices={INTERESTS.map((value) => ({ value, label: value }))}
      />
    </StepForm>
  )
}
