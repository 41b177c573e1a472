import { useState } from 'react'
import { useHydrated } from '../ui/use-hydrated.ts'
import { type FieldError, FieldErrors } from './field.tsx'
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

/** From and to, as two numbers that always work, and as two thumbs on one line where script runs. */
export function RangePair({ legend, names, min, max, value, error, onChange }: RangePairProps) {
  const [[from, to], setPair] = useState(value)
  const hydrated = useHydrated()
  const set = (nextFrom: number, nextTo: number) => {
    setPair([nextFrom, nextTo])
    onChange?.(nextFrom, nextTo)
  }
  const [fromId, toId] = [`${names[0]}-from`, `${names[1]}-to`]
  const bounds = { min, max, step: 1 }
  const share = (number: number) => (number - min) / (max - min)
  const bar = (element: HTMLSpanElement | null) => {
    element?.style.setProperty('--from', String(share(from)))
    element?.style.setProperty('--to', String(share(to)))
  }
  return (
    <fieldset className="field range-pair" id={names[0]}>
      <legend className="field-label">{legend}</legend>
      <div className="range-numbers">
        <label htmlFor={fromId}>From</label>
        <input
          className="input"
          type="number"
          id={fromId}
          name={names[0]}
          {...bounds}
          value={from}
          required
          onChange={(event) => set(event.currentTarget.valueAsNumber || min, to)}
        />
        <label htmlFor={toId}>to</label>
        <input
          className="input"
          type="number"
          id={toId}
          name={names[1]}
          {...bounds}
          value={to}
          required
          onChange={(event) => set(from, event.currentTarget.valueAsNumber || max)}
        />
      </div>
      {hydrated ? (
        <div className="range-line" aria-hidden="true">
          <span className="range-bar" ref={bar} />
          <input
            type="range"
            tabIndex={-1}
            {...bounds}
            value={from}
            onChange={(event) => set(Math.min(event.currentTarget.valueAsNumber, to), to)}
          />
          <input
            type="range"
            tabIndex={-1}
            {...bounds}
            value={to}
            onChange={(event) => set(from, Math.max(event.currentTarget.valueAsNumber, from))}
          />
        </div>
      ) : null}
      <FieldErrors id={`${names[0]}-error`} error={error} />
    </fieldset>
  )
}
