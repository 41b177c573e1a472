import type { SelectHTMLAttributes } from 'react'
import { type Choices, Options } from '../ui/lists/options.tsx'
import { Icon } from '../ui/picture/icon.tsx'
import { Field, type FieldProps } from './field.tsx'
import { splitField } from './text-input.tsx'
import './select.css'

type SelectProps = FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, keyof FieldProps | 'required' | 'children'> & {
    choices: Choices
    /** The first entry, which chooses nothing. */
    placeholder?: string
  }

export function Select(props: SelectProps) {
  const { field, rest } = splitField(props)
  const { choices, placeholder, ...select } = rest
  return (
    <Field {...field}>
      {(control) => (
        <span className="select">
          <select {...select} {...control} className="input">
            {placeholder === undefined ? null : <option value="">{placeholder}</option>}
            <Options choices={choices} />
          </select>
          <Icon name="chevron-down" />
        </span>
      )}
    </Field>
  )
}
