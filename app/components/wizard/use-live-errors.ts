import { type FocusEvent, type FormEvent, useState } from 'react'
import type { Fields } from '../../lib/answer.ts'

type Rules = { passwordMin: number; latestDob: string; hasPassword: boolean }
type Values = (name: string) => string

export const PASSWORDS_DIFFER = 'Passwords do not match.'
const INVALID_DOB = 'Invalid date of birth. Please provide a valid date (18+).'
const EARLIEST_DOB = '1900-01-01'

/** What can be said before anything is sent; the server decides. An empty field is not wrong yet. */
function wrongWith(name: string, value: Values, { passwordMin, latestDob }: Rules): string | undefined {
  const text = value(name)
  if (name === 'dob' && text) return text > latestDob || text < EARLIEST_DOB ? INVALID_DOB : undefined
  if (name === 'password' && text && [...text].length < passwordMin) {
    return `Password must be at least ${passwordMin} characters.`
  }
  if (name === 'confirm' && text && text !== value('password')) return PASSWORDS_DIFFER
  return undefined
}

const CHECKED = ['password', 'confirm', 'dob'] as const

/** The server's errors until a field is left, then what the field itself can tell. */
export function useLiveErrors(sent: Fields, rules: Rules) {
  const [own, setOwn] = useState<Readonly<Record<string, string | undefined>>>({})
  const valuesOf = (form: HTMLFormElement): Values => {
    const data = new FormData(form)
    return (name) => String(data.get(name) ?? '')
  }
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    const control = event.target as unknown as HTMLInputElement
    if (!control.form || !control.value) return
    const values = valuesOf(control.form)
    const related = control.name === 'password' ? ['password', 'confirm'] : [control.name]
    const found = related.map((name) => [name, wrongWith(name, values, rules)])
    setOwn((before) => ({ ...before, ...Object.fromEntries(found) }))
  }
  /** A date or a pair of passwords that cannot be right is not sent at all. */
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const values = valuesOf(event.currentTarget)
    const found = CHECKED.map((name) => [name, wrongWith(name, values, rules)] as const)
    const first = found.find(([, error]) => error)
    if (!first) return
    event.preventDefault()
    setOwn((before) => ({ ...before, ...Object.fromEntries(found) }))
    event.currentTarget.querySelector<HTMLElement>(`[name="${first[0]}"]`)?.focus()
  }
  return { errors: merged(sent, own), onBlur, onSubmit }
}

function merged(sent: Fields, own: Readonly<Record<string, string | undefined>>): Fields {
  const entries = Object.entries({ ...sent, ...own }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return Object.fromEntries(entries)
}
