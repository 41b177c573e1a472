import { type FocusEvent, type FormEvent, useState } from 'react'
import type { Fields } from '../../../usecases/answer.ts'

type Rules = { passwordMin: number; latestDob: string; hasPassword: boolean }
type Values = (name: string) => string
type Found = Readonly<Record<string, string | undefined>>

const PASSWORDS_DIFFER = 'Passwords do not match.'
const INVALID_DOB = 'Invalid date of birth. Please provide a valid date (18+).'
const EARLIEST_DOB = '1900-01-01'
/** An error that appears while the pointer is down moves the page away under the click. */
const AFTER_CLICK_MS = 200
const CHECKED = ['password', 'confirm', 'dob'] as const

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

function valuesOf(form: HTMLFormElement): Values {
  const data = new FormData(form)
  return (name) => String(data.get(name) ?? '')
}

/** The server's errors until a field is changed, then what the field itself can tell once it is left. */
export function useLiveErrors(sent: Fields, rules: Rules) {
  const [own, setOwn] = useState<Found>({})
  const errors = merged(sent, own)
  const note = (found: Found) => setOwn((before) => ({ ...before, ...found }))

  const onChange = (event: FormEvent<HTMLElement>) => {
    const { name } = event.target as HTMLInputElement
    if (errors[name]) note({ [name]: undefined })
  }
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    const { form, name, value } = event.target as unknown as HTMLInputElement
    if (!form || !value) return
    const related = name === 'password' ? ['password', 'confirm'] : [name]
    const check = () => {
      const found = related.map((one) => [one, wrongWith(one, valuesOf(form), rules)] as const)
      note(Object.fromEntries(found.filter(([, error]) => error)))
    }
    setTimeout(check, AFTER_CLICK_MS)
  }
  /** A date or a pair of passwords that cannot be right is not sent at all. */
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const values = valuesOf(event.currentTarget)
    const found = CHECKED.map((name) => [name, wrongWith(name, values, rules)] as const)
    const first = found.find(([, error]) => error)
    if (!first) return
    event.preventDefault()
    note(Object.fromEntries(found))
    event.currentTarget.querySelector<HTMLElement>(`[name="${first[0]}"]`)?.focus()
  }
  return { errors, handlers: { onChange, onBlur, onSubmit } }
}

function merged(sent: Fields, own: Found): Fields {
  const entries = Object.entries({ ...sent, ...own }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return Object.fromEntries(entries)
}
