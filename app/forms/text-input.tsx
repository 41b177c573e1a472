import { type InputHTMLAttributes, type TextareaHTMLAttributes, useEffect, useRef, useState } from 'react'
import { lengthOf, tidy } from '../../domain/shared/text.ts'
import { IconButton } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { useHydrated } from '../ui/use-hydrated.ts'
import { Field, type FieldProps } from './field.tsx'
import { useStoppedLength } from './use-stopped-length.ts'
import './text-input.css'

/** The Field's own props apart from those of the element, which gets no limit of its own. */
export function splitField<Props extends FieldProps>(props: Props) {
  const { label, name, id, help, error, optional, hideLabel, maxCharacters: _limit, ...rest } = props
  const field = {
    label,
    name,
    help,
    error,
    ...(id && { id }),
    ...(optional && { optional }),
    ...(hideLabel && { hideLabel }),
  }
  return { field, rest }
}

type Owned = keyof FieldProps | 'required' | 'children' | 'maxLength'
type TextInputProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, Owned>

/** A line of text: e-mail, name, code, number, date by `type`. */
export function TextInput(props: TextInputProps) {
  const { field, rest } = splitField(props)
  const element = useRef<HTMLInputElement>(null)
  const error = useStoppedLength(element, props.maxCharacters) ?? field.error
  return (
    <Field {...field} error={error}>
      {(control) => (
        <input type="text" {...rest} {...control} ref={element} className={classes('input', rest.className)} />
      )}
    </Field>
  )
}

/** A password with Show and Hide where script runs; pasting stays possible. */
export function PasswordInput(props: Omit<TextInputProps, 'type'>) {
  const { field, rest } = splitField(props)
  const [shown, setShown] = useState(false)
  const hydrated = useHydrated()
  return (
    <Field {...field}>
      {(control) => (
        <span className="input-group">
          <input
            autoComplete="current-password"
            {...rest}
            {...control}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className="input"
          />
          {hydrated ? (
            <IconButton
              icon={shown ? 'eye-off' : 'eye'}
              label={shown ? 'Hide password' : 'Show password'}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            />
          ) : null}
        </span>
      )}
    </Field>
  )
}

type TextAreaProps = FieldProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, Owned> & {
    /** Shows how many of `maxCharacters` are used, as the server counts them. */
    count?: boolean
  }

const countOf = (value: TextAreaProps['defaultValue']) => lengthOf(tidy(String(value ?? '')))

/** Grows with its text, by the browser itself where it can. */
export function TextArea(props: TextAreaProps) {
  const { field, rest } = splitField(props)
  const { count, ...area } = rest
  const element = useRef<HTMLTextAreaElement>(null)
  const [length, setLength] = useState(() => countOf(area.defaultValue))
  const error = useStoppedLength(element, props.maxCharacters) ?? field.error
  useEffect(() => {
    const box = element.current
    if (!box || CSS.supports('field-sizing', 'content')) return
    const grow = () => {
      box.style.height = 'auto'
      box.style.height = `${box.scrollHeight + 2}px`
    }
    grow()
    box.addEventListener('input', grow)
    return () => box.removeEventListener('input', grow)
  }, [])
  return (
    <Field {...field} error={error}>
      {(control) => (
        <>
          <textarea
            rows={3}
            {...area}
            {...control}
            ref={element}
            className={classes('input textarea', area.className)}
            onInput={(event) => {
              setLength(countOf(event.currentTarget.value))
              area.onInput?.(event)
            }}
          />
          {count && props.maxCharacters ? (
            <span className="field-count tabular" aria-hidden="true">
              {length} / {props.maxCharacters}
            </span>
          ) : null}
        </>
      )}
    </Field>
  )
}
