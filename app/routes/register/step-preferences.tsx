import { useState } from 'react'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../../domain/profile/limits.ts'
import { RadioGroup } from '../../forms/chips.tsx'
import { RangePair } from '../../forms/range-pair.tsx'
import { TextInput } from '../../forms/text-input.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { MODE_CHOICES, milesInWords } from './choices.ts'
import { one, StepForm, type StepProps } from './step-form.tsx'
import './step-preferences.css'

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
        choices={MODE_CHOICES}
      />
    </StepForm>
  )
}
