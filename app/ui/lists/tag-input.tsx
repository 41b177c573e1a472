import { type ClipboardEvent, type KeyboardEvent, useId, useRef } from 'react'
import { Field, type FieldProps } from '../../forms/field.tsx'
import { Icon } from '../picture/icon.tsx'
import { useTags } from './use-tags.ts'
import './tag-input.css'

type TagInputProps = FieldProps & {
  /** Tags with commas between, as the form sends them: with and without script alike. */
  defaultValue?: string
  /** With script, no more can be added once there are so many; the server counts again. */
  max?: number
  /** Offered while typing. */
  suggestions?: readonly string[]
  placeholder?: string
}

/** Any words of one's own: each Enter or comma makes a tag. Without script it is a field for words with commas between. */
export function TagInput({ defaultValue = '', max, suggestions, placeholder, ...field }: TagInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const { tags, note, add, addWhole, remove } = useTags(input, max)
  const list = useId()
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const { value } = event.currentTarget
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && value.trim()) {
      event.preventDefault()
      add(value)
    }
    if (event.key === 'Backspace' && value === '' && tags?.length) remove(tags.length - 1)
  }
  function onPaste(event: ClipboardEvent<HTMLInputElement>): void {
    const text = event.clipboardData.getData('text')
    if (!tags || !/[,\n]/.test(text)) return
    event.preventDefault()
    add(`${event.currentTarget.value},${text}`)
  }
  return (
    <Field {...field}>
      {({ name, required, ...control }) => (
        <div className="tag-input">
          {tags?.length ? <Tags tags={tags} label={field.label} onRemove={remove} /> : null}
          <input
            {...control}
            ref={input}
            type="text"
            className="tag-words"
            name={tags ? undefined : name}
            required={required && !tags?.length}
            defaultValue={defaultValue}
            autoCapitalize="none"
            enterKeyHint="enter"
            placeholder={tags?.length ? undefined : placeholder}
            list={suggestions && list}
            onInput={addWhole}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onBlur={(event) => add(event.currentTarget.value)}
          />
          {tags ? <input type="hidden" name={name} value={tags.join(', ')} /> : null}
          {suggestions ? (
            <datalist id={list}>
              {suggestions.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          ) : null}
          <span className={note.isRefusal ? 'tag-note' : 'visually-hidden'} role="status">
            {note.text}
          </span>
        </div>
      )}
    </Field>
  )
}

type TagsProps = { tags: readonly string[]; label: string; onRemove: (at: number) => void }

function Tags({ tags, label, onRemove }: TagsProps) {
  return (
    <ul className="tags" aria-label={label}>
      {tags.map((tag, at) => (
        <li key={tag} className="tag">
          <span className="truncate">{tag}</span>
          <button type="button" aria-label={`Remove ${tag}`} onClick={() => onRemove(at)}>
            <Icon name="x" size="s" />
          </button>
        </li>
      ))}
    </ul>
  )
}
