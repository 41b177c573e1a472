import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { lengthOf, tidy } from '../../../domain/shared/text.ts'
import { describedBy, type FieldError, FieldErrors } from '../../forms/field.tsx'
import { useAnswered } from '../../forms/use-answered.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { useBrowserLayoutEffect } from '../../ui/use-browser-layout-effect.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import './chips-field.css'

type ChipsFieldProps = {
  legend: string
  /** The own words are sent as `<name>-own`. */
  name: string
  id: string
  presets?: readonly string[]
  /** Offered while typing. */
  suggestions?: readonly string[]
  values: readonly string[]
  typed?: string
  max: number
  maxCharacters: number
  error?: FieldError
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

const storedOf = ({ name, values, typed = '' }: ChipsFieldProps, all: readonly string[]) =>
  JSON.stringify({ [name]: all.filter((value) => values.includes(value)), [`${name}-own`]: [typed] })

/** Presets to tick and words of one's own, added on Enter; without script the field takes them, separated by commas. */
export function ChipsField(props: ChipsFieldProps) {
  const { legend, name, id, presets = [], max, maxCharacters } = props
  const { error, onChange } = useAnswered(props.error)
  const [chosen, setChosen] = useState(props.values)
  const ownIn = (values: readonly string[]) => values.filter((value) => !presets.some((preset) => same(preset, value)))
  const [own, setOwn] = useState(ownIn(props.values))
  // Of what the server brought, for its draft: what is added later looks the same on the page.
  const [stored] = useState(() => storedOf(props, [...presets, ...own]))
  const group = useRef<HTMLFieldSetElement>(null)
  // Ahead of whatever writes into a page that begins.
  useBrowserLayoutEffect(() => {
    group.current?.addEventListener('chips', ({ detail }) => {
      const values = detail.filter((value) => lengthOf(value) <= maxCharacters).slice(0, max)
      setOwn(ownIn([...new Set([...props.values, ...values])]))
      setChosen(values)
    })
  }, [])
  const [brought] = useState(chosen)
  // A word is added without an event of a control; whoever keeps what is typed hears of it once it is on the page.
  useEffect(() => {
    if (chosen !== brought) group.current?.dispatchEvent(new Event('change', { bubbles: true }))
  }, [chosen, brought])
  const full = chosen.length >= max
  const toggle = (value: string, on: boolean) =>
    setChosen((before) => (on ? [...before, value] : before.filter((one) => one !== value)))
  /** Empty, doubled or too many: nothing is added (spec 2 §5). */
  const add = (typed: string) => {
    const value = tidy(typed).replace(/,+$/, '')
    if (value === '' || full || chosen.some((one) => same(one, value))) return false
    const known = [...presets, ...own].find((one) => same(one, value))
    if (!known) setOwn((before) => [...before, value])
    toggle(known ?? value, true)
    return true
  }
  return (
    <fieldset
      className={classes('field', error && 'field-invalid')}
      id={id}
      ref={group}
      data-chips={name}
      data-stored={stored}
      // The summary of a form's errors leads here.
      tabIndex={-1}
      aria-describedby={describedBy(id, { error })}
      onChange={onChange}
    >
      <legend className="field-label">
        {legend}
        <span className="field-note tabular">
          {chosen.length} of {max}
        </span>
      </legend>
      {presets.length + own.length > 0 ? (
        <div className="choices choices-chips">
          {[...presets, ...own].map((value) => (
            <label key={value} className="choice">
              <input
                type="checkbox"
                name={name}
                value={value}
                checked={chosen.includes(value)}
                disabled={full && !chosen.includes(value)}
                onChange={(event) => toggle(value, event.currentTarget.checked)}
              />
              <span className="choice-face">{value}</span>
            </label>
          ))}
        </div>
      ) : null}
      <p className="field-help chips-full" role="status">
        {full ? `All ${max} are chosen. Take one away to add another.` : null}
      </p>
      <OwnWords {...props} full={full} onAdd={add} />
      <FieldErrors id={`${id}-error`} error={error} />
    </fieldset>
  )
}

function OwnWords(props: ChipsFieldProps & { full: boolean; onAdd: (typed: string) => boolean }) {
  const { legend, name, id: group, suggestions, maxCharacters, typed = '', full, onAdd } = props
  const hydrated = useHydrated()
  const [text, setText] = useState(typed)
  const length = lengthOf(tidy(text))
  const fits = length > 0 && length <= maxCharacters
  const field = useRef<HTMLInputElement>(null)
  const add = () => {
    if (fits && onAdd(text)) setText('')
    // With nothing to add the button takes no focus.
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    add()
  }
  const id = `${group}-own`
  return (
    <div className="own-words">
      <label htmlFor={id} className="small soft">
        {hydrated ? `Add your own to ${legend.toLowerCase()}` : 'Add your own, parted by commas'}
      </label>
      <div className="own-words-line">
        <input
          ref={field}
          className="input"
          id={id}
          name={`${name}-own`}
          value={text}
          autoComplete="off"
          enterKeyHint="done"
          {...(suggestions && { list: `${id}-list` })}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {hydrated ? (
          <Button type="button" icon="plus" disabled={full || !fits} onClick={add}>
            Add
          </Button>
        ) : null}
      </div>
      {hydrated && length > maxCharacters ? (
        <span className="field-error tabular" role="status">
          {`${length} / ${maxCharacters} · At most ${maxCharacters} characters`}
        </span>
      ) : null}
      {suggestions ? (
        <datalist id={`${id}-list`}>
          {suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      ) : null}
    </div>
  )
}
