import { useState } from 'react'
import { classes } from '../ui/classes.ts'
import { useHydrated } from '../ui/use-hydrated.ts'
import { describedBy, type FieldError, FieldErrors, sentences } from './field.tsx'
import { RangeLine } from './range-line.tsx'
import './range-pair.css'

type RangePairProps = {
  legend: string
  /** The names of the two numbers that are sent. */
  names: readonly [from: string, to: string]
  min: number
  max: number
  value: readonly [from: number, to: number]
  error?: FieldError
  onChange?: (from: number, to: number) => void
}

/**
 * From and to, as two numbers that always work, and as two thumbs on one line where script runs. What is typed stays as it
 * is; a number that is not there yet counts as its bound.
 */
export function RangePair({ legend, names, min, max, value, error, onChange }: RangePairProps) {
  const [typed, setTyped] = useState<readonly [from: string, to: string]>([String(value[0]), String(value[1])])
  const hydrated = useHydrated()
  const numbersOf = ([one, other]: readonly [string, string]) => [Number(one) || min, Number(other) || max] as const
  const [from, to] = numbersOf(typed)
  const set = (nextFrom: string, nextTo: string) => {
    setTyped([nextFrom, nextTo])
    onChange?.(...numbersOf([nextFrom, nextTo]))
  }
  const bounds = { min, max, step: 1 }
  const invalid = sentences(error).length > 0
  const box = {
    className: 'input',
    type: 'number',
    ...bounds,
    required: true,
    'aria-invalid': invalid || undefined,
    'aria-describedby': describedBy(names[0], { error }),
  } as const
  const stored = JSON.stringify(Object.fromEntries(names.map((name, at) => [name, [String(value[at])]])))
  const share = (number: number) => (number - min) / (max - min)
  return (
    <fieldset className={classes('field range-pair', invalid && 'field-invalid')} data-stored={stored}>
      <legend className="field-label">{legend}</legend>
      <div className="range-numbers">
        <label htmlFor={names[0]}>From</label>
        <input
          {...box}
          id={names[0]}
          name={names[0]}
          value={typed[0]}
          onChange={(event) => set(event.currentTarget.value, typed[1])}
        />
        <label htmlFor={names[1]}>to</label>
        <input
          {...box}
          id={names[1]}
          name={names[1]}
          value={typed[1]}
          onChange={(event) => set(typed[0], event.currentTarget.value)}
        />
      </div>
      {hydrated ? (
        <RangeLine from={share(from)} to={share(to)}>
          <input
            type="range"
            tabIndex={-1}
            {...bounds}
            value={from}
            onChange={(event) => set(String(Math.min(event.currentTarget.valueAsNumber, to)), typed[1])}
          />
          <input
            type="range"
            tabIndex={-1}
            {...bounds}
            value={to}
            onChange={(event) => set(typed[0], String(Math.max(event.currentTarget.valueAsNumber, from)))}
          />
        </RangeLine>
      ) : null}
      <FieldErrors id={`${names[0]}-error`} error={error} />
    </fieldset>
  )
}
