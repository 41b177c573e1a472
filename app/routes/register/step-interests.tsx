import { MAX_INTERESTS } from '../../../domain/profile/limits.ts'
import { CheckboxChips, type ChoiceSection } from '../../forms/chips.tsx'
import { StepForm, type StepProps } from './step-form.tsx'

/** `sections` come with the page, which then holds no list of them in its script. */
export function StepInterests({ form, sections }: StepProps & { sections: readonly ChoiceSection[] }) {
  return (
    <StepForm step="interests" form={form}>
      <CheckboxChips
        legend="Your interests"
        name="interests"
        help={`Choose 1 to ${MAX_INTERESTS}. What you share with someone is marked on their card.`}
        max={MAX_INTERESTS}
        values={form.values('interests')}
        error={form.error('interests')}
        sections={sections}
      />
    </StepForm>
  )
}
