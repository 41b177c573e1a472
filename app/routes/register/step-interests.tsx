import { INTERESTS } from '../../../domain/profile/choices.ts'
import { MAX_INTERESTS } from '../../../domain/profile/limits.ts'
import { CheckboxChips } from '../../forms/chips.tsx'
import { StepForm, type StepProps } from './step-form.tsx'

export function StepInterests({ form }: StepProps) {
  return (
    <StepForm step="interests" form={form}>
      <CheckboxChips
        legend="Your interests"
        name="interests"
        help={`Choose 1 to ${MAX_INTERESTS}. What you share with someone is marked on their card.`}
        max={MAX_INTERESTS}
        values={form.values('interests')}
        error={form.error('interests')}
        choices={INTERESTS.map((value) => ({ value, label: value }))}
      />
    </StepForm>
  )
}
