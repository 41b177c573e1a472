import { type ReactNode, useState } from 'react'
import { classes } from '../ui/classes.ts'
import type { Choice } from '../ui/lists/options.tsx'
import { Icon } from '../ui/picture/icon.tsx'
import type { IconName } from '../ui/picture/icon-names.ts'
import { describedBy, type FieldError, FieldErrors, sentences } from './field.tsx'
import { useAnswered } from './use-answered.ts'
import './chips.css'

type GroupProps = {
  /** The question, read out before each answer. */
  legend: string
  name: string
  /** Default: the name. Set it where something else on the page has that id. */
  id?: string
  choices: readonly Choice[]
  help?: ReactNode
  error?: FieldError
  optional?: boolean
  /** `rows` gives each choice a line of its own with its help. */
  look?: 'chips' | 'rows'
}

function Group({
  legend,
  name,
  id = name,
  help,
  error: given,
  optional,
  note,
  children,
}: Omit<GroupProps, 'choices'> & { note?: string; children: ReactNode }) {
  const { error, onChange } = useAnswered(given)
  const invalid = sentences(error).length > 0
  return (
    <fieldset
      className={classes('field', invalid && 'field-invalid')}
      id={id}
      // The summary of a form's errors leads here.
      tabIndex={-1}
      aria-describedby={describedBy(id, { help, error })}
      onChange={onChange}
    >
      <legend className="field-label">
        {legend}
        {optional ? <span className="field-optional"> optional</span> : null}
        {note ? <span className="field-note tabular">{note}</span> : null}
      </legend>
      {help ? (
        <p className="field-help" id={`${id}-help`}>
          {help}
        </p>
      ) : null}
      {/* Ahead of the choices, which may fill more than a window. */}
      <FieldErrors id={`${id}-error`} error={error} />
      {children}
    </fieldset>
  )
}

/** All that is seen of a choice: the control lies over it, and the sheet draws the check. */
const Face = ({ choice: { label, help } }: { choice: Choice }) => (
  <span className="choice-face">
    {label}
    {help ? <span className="choice-help">{help}</span> : null}
  </span>
)

type RadioGroupProps = GroupProps & {
  value?: string | null
  /** Another field may answer in its place: then none of these has to be chosen. */
  alternative?: boolean
  onChange?: (value: string) => void
}

/** One of several, as chips. */
export function RadioGroup({ value, alternative = false, onChange, ...group }: RadioGroupProps) {
  return (
    <Group {...group}>
      <div className={`choices choices-${group.look ?? 'chips'}`}>
        {group.choices.map((choice) => (
          <label key={choice.value} className="choice">
            <input
              type="radio"
              name={group.name}
              value={choice.value}
              defaultChecked={choice.value === value}
              required={!group.optional && !alternative}
              onChange={() => onChange?.(choice.value)}
            />
            <Face choice={choice} />
          </label>
        ))}
      </div>
    </Group>
  )
}

/** Choices that belong together, of one question. */
export type ChoiceSection = { readonly title: string; readonly icon: IconName; readonly choices: readonly Choice[] }

type CheckboxChipsProps = Omit<GroupProps, 'choices'> & {
  choices?: readonly Choice[]
  /** In place of `choices`, where there are many. */
  sections?: readonly ChoiceSection[]
  values?: readonly string[]
  /** With script, the rest cannot be chosen once this many are; the server counts again. */
  max?: number
  onChange?: (values: readonly string[]) => void
}

/** Any of several, as chips, up to `max`. */
export function CheckboxChips({ values = [], max, onChange, choices = [], sections, ...group }: CheckboxChipsProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(values))
  const full = max !== undefined && chosen.size >= max
  const toggle = (value: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(value)
    else next.delete(value)
    setChosen(next)
    onChange?.([...next])
  }
  const chips = (some: readonly Choice[]) => (
    <div className={`choices choices-${group.look ?? 'chips'}`}>
      {some.map((choice) => (
        <label key={choice.value} className="choice">
          <input
            type="checkbox"
            name={group.name}
            value={choice.value}
            checked={chosen.has(choice.value)}
            disabled={full && !chosen.has(choice.value)}
            onChange={(event) => toggle(choice.value, event.currentTarget.checked)}
          />
          <Face choice={choice} />
        </label>
      ))}
    </div>
  )
  return (
    <Group {...group} {...(max !== undefined && { note: `${chosen.size} of ${max}` })}>
      {sections?.map(({ title, icon, choices: some }) => (
        <fieldset key={title} className="choice-section">
          <legend>
            <Icon name={icon} />
            {title}
          </legend>
          {chips(some)}
        </fieldset>
      )) ?? chips(choices)}
    </Group>
  )
}

type CheckboxProps = {
  label: ReactNode
  name: string
  value?: string
  defaultChecked?: boolean
  error?: FieldError
  look?: 'box' | 'switch'
}

/** A single yes or no with its sentence. */
export function Checkbox({ label, name, value = 'yes', defaultChecked, error, look = 'box' }: CheckboxProps) {
  const invalid = sentences(error).length > 0
  return (
    <div className={classes('field', invalid && 'field-invalid')}>
      <label className={`check check-${look}`}>
        <input
          type="checkbox"
          id={name}
          name={name}
          value={value}
          defaultChecked={defaultChecked}
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy(name, { error })}
        />
        {look === 'switch' ? <span className="switch" aria-hidden="true" /> : null}
        <span>{label}</span>
      </label>
      <FieldErrors id={`${name}-error`} error={error} />
    </div>
  )
}
