import type { SelectHTMLAttributes } from 'react'
import { Icon } from '../ui/picture/icon.tsx'
import { Field, type FieldProps } from './field.tsx'
import { splitField } from './text-input.tsx'
import './select.css'

export type Choice = { value: string; label: string; help?: string }
type Option = Choice & { disabled?: boolean }
export type ChoiceGroup = { group: string; choices: readonly Option[] }
type Choices = readonly (Option | ChoiceGroup)[]

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

export function Options({ choices }: { choices: Choices }) {
  return choices.map((one) =>
    'group' in one ? (
      <optgroup key={one.group} label={one.group}>
        <Options choices={one.choices} />
      </optgroup>
    ) : (
      <option key={one.value} value={one.value} disabled={one.disabled}>
        {one.label}
      </option>
    ),
  )
}
