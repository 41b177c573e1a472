import { useState } from 'react'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../../domain/profile/limits.ts'
import { RadioGroup } from '../../forms/chips.tsx'
import { RangeLine } from '../../forms/range-line.tsx'
import { RangePair } from '../../forms/range-pair.tsx'
import { TextInput } from '../../forms/text-input.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { MODE_CHOICES, milesInWords } from './choices.ts'
import { StepForm, type StepProps } from './step-form.tsx'

function Distance({ form }: StepProps) {
  const hydrated = useHydrated()
  const [miles, setMiles] = useState(form.values('distanceMiles')[0] || String(MAX_DISTANCE_MILES))
  const change = (event: { currentTarget: HTMLInputElement }) => setMiles(event.currentTarget.value)
  const chosen = Number(miles)
  const isChoice = miles !== '' && chosen >= 0 && chosen <= MAX_DISTANCE_MILES
  const bounds = { min: 0, max: MAX_DISTANCE_MILES, step: 1 }
  return (
    <div className="stack stack-s">
      <TextInput
        label="How far away, in miles"
        name="distanceMiles"
        type="number"
        inputMode="numeric"
        {...bounds}
        step="any"
        value={miles}
        onChange={change}
        error={form.error('distanceMiles')}
        help={hydrated && isChoice ? milesInWords(chosen) : '1000 means 1000+ miles: any distance.'}
      />
      {hydrated ? (
        <RangeLine from={0} to={Math.min(1, Math.max(0, chosen / MAX_DISTANCE_MILES))}>
          <input type="range" tabIndex={-1} {...bounds} value={miles || 0} onChange={change} />
        </RangeLine>
      ) : null}
    </div>
  )
}

export function StepPreferences({ form }: StepProps) {
  const [ageMin, ageMax] = [form.values('ageMin')[0], form.values('ageMax')[0]]
  const ages = [Number(ageMin) || MIN_AGE, Number(ageMax) || MAX_AGE] as const
  return (
    <StepForm step="preferences" form={form}>
      <RangePair
        legend="Their age"
        names={['ageMin', 'ageMax']}
        min={MIN_AGE}
        max={MAX_AGE}
        value={ages}
        error={form.error('ageMin')}
      />
      <Distance form={form} />
      <RadioGroup
        legend="Who sees you"
        name="visibilityMode"
        look="rows"
        value={form.values('visibilityMode')[0] || 'auto'}
        error={form.error('visibilityMode')}
        choices={MODE_CHOICES}
      />
    </StepForm>
  )
}
