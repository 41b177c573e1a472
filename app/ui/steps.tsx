import { classes } from './classes.ts'
import './steps.css'

type StepsProps = {
  names: readonly string[]
  /** Counted from 1. */
  current: number
}

/** Where the member is in a wizard, and what is next. */
export function Steps({ names, current }: StepsProps) {
  const next = names[current]
  return (
    <div className="steps">
      <ol aria-label="Steps">
        {names.map((name, at) => (
          <li
            key={name}
            className={classes(at + 1 < current && 'step-done', at + 1 === current && 'step-now')}
            aria-current={at + 1 === current ? 'step' : undefined}
          >
            <span className="visually-hidden">{name}</span>
          </li>
        ))}
      </ol>
      <p className="small soft">
        Step {current} of {names.length}
        {next ? <span> · Next: {next}</span> : null}
      </p>
    </div>
  )
}
