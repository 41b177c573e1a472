import { Form, useNavigate } from '@remix-run/react'
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useState } from 'react'
import { classes } from '../classes.ts'
import { Avatar } from '../picture/avatar.tsx'
import { Icon } from '../picture/icon.tsx'
import { type Find, type Found, type Search, useFound } from './use-found.ts'
import './live-search.css'

type LiveSearchProps = {
  label: string
  /** The page of all results: Enter leads there, and it is what there is without script. */
  action: string
  /** Its parameter. */
  name?: string
  /** What the page was asked for. */
  asked?: string
  placeholder?: string
  /** Shown when nothing is found. */
  none: string
  find: Find
}

/** A search whose results come below it while one types: arrows choose one, Enter opens it. Without script it is a GET form. */
export function LiveSearch({ label, action, name = 'q', asked = '', placeholder, none, find }: LiveSearchProps) {
  const id = useId()
  const navigate = useNavigate()
  const [search, ask] = useFound(find)
  const [isOpen, open] = useState(false)
  const [at, choose] = useState(-1)
  const isShown = isOpen && search.state !== 'idle'
  const count = search.found.length
  function close(): void {
    open(false)
    choose(-1)
  }
  function go({ to }: Found): void {
    close()
    navigate(to)
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && count > 0) {
      event.preventDefault()
      open(true)
      // Beyond either end is the field itself.
      choose(isShown ? ((at + step + 1 + count + 1) % (count + 1)) - 1 : step > 0 ? 0 : count - 1)
    }
    const chosen = isShown ? search.found[at] : undefined
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      go(chosen)
    }
    if (event.key === 'Escape' && isShown) {
      event.preventDefault()
      close()
    }
  }
  const onBlur = (event: FocusEvent) => event.currentTarget.contains(event.relatedTarget) || close()
  const optionId = (index: number) => `${id}-${index}`
  return (
    <Form method="get" action={action} role="search" className="live-search" onSubmit={close} onBlur={onBlur}>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <Icon name="search" />
      <input
        id={id}
        className="live-search-words"
        name={name}
        type="search"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown && count > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown && at >= 0 ? optionId(at) : undefined}
        autoComplete="off"
        defaultValue={asked}
        placeholder={placeholder ?? label}
        onKeyDown={onKeyDown}
        onInput={(event) => {
          ask(event.currentTarget.value)
          open(true)
          choose(-1)
        }}
      />
      <button type="submit" className="live-search-go">
        Search
      </button>
      <Results id={`${id}-list`} label={label} isShown={isShown} search={search} at={at} idOf={optionId} onGo={go} />
      <Status isShown={isShown} search={search} none={none} />
    </Form>
  )
}

type ResultsProps = {
  id: string
  label: string
  isShown: boolean
  search: Search
  at: number
  idOf: (index: number) => string
  onGo: (found: Found) => void
}

function Results({ id, label, isShown, search, at, idOf, onGo }: ResultsProps) {
  const chosen = at < 0 ? null : idOf(at)
  useEffect(() => {
    if (chosen) document.getElementById(chosen)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <div
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      className="live-results"
      hidden={!isShown || search.found.length === 0}
    >
      {search.found.map((found, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus, and the keys are its own
        <div
          key={found.to}
          id={idOf(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className={classes('live-result', index === at && 'live-result-chosen')}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onGo(found)}
        >
          {found.face ? <Avatar name={found.face.name} src={found.face.src} size="s" /> : null}
          <span className="truncate">{found.label}</span>
          {found.note ? <span className="live-result-note truncate">{found.note}</span> : null}
        </div>
      ))}
    </div>
  )
}

function wordsOf({ state, found }: Search, none: string): string {
  if (state === 'failed') return 'Results cannot be reached. Press Enter to try again.'
  if (state !== 'found') return ''
  return found.length === 0 ? none : `${found.length} ${found.length === 1 ? 'result' : 'results'}`
}

/** Read out; seen where there is no list to see. */
function Status({ isShown, search, none }: { isShown: boolean; search: Search; none: string }) {
  const isSeen = isShown && search.state !== 'searching' && search.found.length === 0
  return (
    <p role="status" className={isSeen ? 'live-results live-results-none' : 'visually-hidden'}>
      {isShown ? wordsOf(search, none) : ''}
    </p>
  )
}
