import type { ReactNode } from 'react'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/picture/icon.tsx'
import './field.css'

/** One or more sentences about what is wrong with a field; empty means nothing is. */
export type FieldError = string | readonly string[] | null | undefined

export function sentences(error: FieldError): readonly string[] {
  if (!error) return []
  return typeof error === 'string' ? [error] : error
}

export type FieldProps = {
  label: string
  name: string
  /** Default: the name. Set it where two forms of a page share a name. */
  id?: string
  /** What helps to fill it in, under the control. */
  help?: ReactNode
  error?: FieldError
  /** Shows 'optional' beside the label; what is not marked is required. */
  optional?: boolean
  /** Where the server's limit is; the element has no `maxLength`, which counts UTF-16 units and cuts off what is pasted. */
  maxCharacters?: number
  /** For a field whose meaning the page already shows; screen readers still hear the label. */
  hideLabel?: boolean
}

/** What a control inside a Field must carry. */
export type ControlProps = {
  id: string
  name: string
  required?: true
  'aria-describedby'?: string
  'aria-invalid'?: true
}

export function FieldErrors({ id, error }: { id: string; error: FieldError }) {
  const words = sentences(error)
  if (words.length === 0) return null
  return (
    <p className="field-error" id={id}>
      <Icon name="circle-alert" size="s" />
      <span>{words.join(' ')}</span>
    </p>
  )
}

/** The ids that explain a field: its help and its error. */
export function describedBy(id: string, { help, error }: { help?: ReactNode; error?: FieldError }): string | undefined {
  return classes(help ? `${id}-help` : null, sentences(error).length > 0 && `${id}-error`) || undefined
}

/** Label above, help under the control, and the error next to it in words. */
export function Field(props: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const { label, name, id = name, help, error, optional, hideLabel, children } = props
  const description = describedBy(id, { help, error })
  const invalid = sentences(error).length > 0
  return (
    <div className={classes('field', invalid && 'field-invalid')}>
      <label className={classes('field-label', hideLabel && 'visually-hidden')} htmlFor={id}>
        {label}
        {optional ? <span className="field-optional"> optional</span> : null}
      </label>
      {children({
        id,
        name,
        ...(!optional && { required: true as const }),
        ...(description && { 'aria-describedby': description }),
        ...(invalid && { 'aria-invalid': true as const }),
      })}
      {help ? (
        <p className="field-help" id={`${id}-help`}>
          {help}
        </p>
      ) : null}
      <FieldErrors id={`${id}-error`} error={error} />
    </div>
  )
}
