import { useState } from 'react'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../../domain/profile/limits.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { RadioGroup } from '../form/chips.tsx'
import { RangePair } from '../form/range-pair.tsx'
import { TextInput } from '../form/text-input.tsx'
import { one, StepForm, type StepProps } from './step-form.tsx'

const MODES = [
  { value: 'auto', label: 'Auto', help: 'Your photos are blurred until you match.' },
  { value: 'limited', label: 'Limited', help: 'Others see a short preview: three photos and a few lines.' },
  { value: 'full', label: 'Full', help: 'Others see everything you make public.' },
  { value: 'hidden', label: 'Hidden', help: 'You are not in Discover. Your matches can still chat with you.' },
] as const

/** 1000 is no limit (spec 1 §5). */
function milesInWords(miles: number): string {
  if (miles >= MAX_DISTANCE_MILES) return `${MAX_DISTANCE_MILES}+ miles`
  return miles === 1 ? '1 mile' : `${miles} miles`
}

function Distance({ values, errors }: StepProps) {
  const hydrated = useHydrated()
  const [miles, setMiles] = useState(one(values, 'distanceMiles') || String(MAX_DISTANCE_MILES))
  const change = (event: { currentTarget: HTMLInputElement }) => setMiles(event.currentTarget.value)
  const bounds = { min: 0, max: MAX_DISTANCE_MILES, step: 1 }
  return (
    <div className="stack stack-s">
      <TextInput
        label="How far away, in miles"
        name="distanceMiles"
        type="number"
        inputMode="numeric"
        {...bounds}
        value={miles}
        onChange={change}
        error={errors.distanceMiles}
        help={hydrated ? milesInWords(Number(miles)) : '1000 means 1000+ miles: any distance.'}
      />
      {hydrated ? (
        <input
          type="range"
          className="range"
          aria-hidden="true"
          tabIndex={-1}
          {...bounds}
          value={miles}
          onChange={change}
        />
      ) : null}
    </div>
  )
}

export function StepPreferences({ values, errors }: StepProps) {
  const ages = [Number(one(values, 'ageMin')) || MIN_AGE, Number(one(values, 'ageMax')) || MAX_AGE] as const
  return (
    <StepForm step="preferences" errors={errors}>
      <RangePair
        legend="Their age"
        names={['ageMin', 'ageMax']}
        min={MIN_AGE}
        max={MAX_AGE}
        value={ages}
        error={errors.ageMin}
      />
      <Distance values={values} errors={errors} />
      <RadioGroup
        legend="Who sees you"
        name="visibilityMode"
        look="rows"
        value={one(values, 'visibilityMode') || 'auto'}
        error={errors.visibilityMode}
        choices={MODES}
      />
    </StepForm>
  )
}
