import type { ComponentProps } from 'react'
import { RowWords } from './list-rows.tsx'

type ToggleRowProps = ComponentProps<typeof RowWords> & { name: string; isOn: boolean }

/**
 * A row of `ListRows` that turns something on and off: a button of the form around the list, which sends `name` as `on` or
 * `off`, whichever comes next. It needs no script.
 */
export function ToggleRow({ name, isOn, ...words }: ToggleRowProps) {
  return (
    <li>
      <button
        type="submit"
        role="switch"
        aria-checked={isOn}
        name={name}
        value={isOn ? 'off' : 'on'}
        className="list-row"
      >
        <RowWords {...words} />
        <span className="switch" aria-hidden="true" />
      </button>
    </li>
  )
}
