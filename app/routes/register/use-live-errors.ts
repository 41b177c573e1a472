import { type FocusEvent, type FormEvent, useState } from 'react'
import { type Constraints, formOf } from '../../forms/reply.ts'

type Parts = Parameters<typeof formOf>[0] & { constraints: Constraints }
export type LiveParts = {
  parts: Parts
  /** The sentences for fields that the browser finds wrong by their constraints; other fields have none. */
  sentences: Readonly<Record<string, string>>
  /** And for those that are left empty, in the order of the page. */
  missing: Readonly<Record<string, string>>
}
/** Without outer spaces. */
type Values = (name: string) => string
type Found = Readonly<Record<string, string | undefined>>

/** An error that appears while the pointer is down moves the page away under the click. */
const AFTER_CLICK_MS = 200

/** What can be checked before anything is sent; the server decides. An empty field is not wrong yet. */
function isWrong(name: string, value: Values, constraints: Constraints): boolean {
  const text = value(name)
  if (text === '') return false
  if (name === 'confirm') return text !== value('password')
  const { minLength = 0, min = text, max = text } = constraints[name] ?? {}
  return [...text].length < minLength || text < String(min) || text > String(max)
}

/** Asked once the step is sent: what must be given is not there. A password is given twice. */
function isMissing(name: string, value: Values, constraints: Constraints): boolean | undefined {
  const asked = name === 'confirm' ? value('password') !== '' : constraints[name]?.required
  return asked && value(name) === ''
}

function valuesOf(form: HTMLFormElement): Values {
  const data = new FormData(form)
  return (name) => String(data.get(name) ?? '').trim()
}

/** The server's errors until a field is changed, then what the field itself can check once it is left. */
export function useLiveErrors({ parts, sentences, missing }: LiveParts) {
  const { reply, constraints } = parts
  const [own, note] = useOwnErrors(reply)
  const [asked, setAsked] = useState(false)
  const fields = inOrder(Object.keys(missing), { ...reply?.fields, ...own })
  const form = formOf({ ...parts, reply: { status: 200, values: {}, ...reply, fields } })
  const wordsFor = (name: string, value: Values) => (isWrong(name, value, constraints) ? sentences[name] : undefined)

  const onChange = (event: FormEvent<HTMLElement>) => {
    const { name } = event.target as HTMLInputElement
    if (fields[name]) note({ [name]: undefined })
  }
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    const { form: element, name, value } = event.target as unknown as HTMLInputElement
    if (!element || !value) return
    const related = name === 'password' ? ['password', 'confirm'] : [name]
    const check = () => {
      const found = related.map((one) => [one, wordsFor(one, valuesOf(element))] as const)
      note(Object.fromEntries(found.filter(([, error]) => error)))
    }
    setTimeout(check, AFTER_CLICK_MS)
  }
  /** A date or a pair of passwords that cannot be right is not sent at all; what is missing beside it is shown with it. */
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const values = valuesOf(event.currentTarget)
    if (!Object.keys(sentences).some((name) => wordsFor(name, values))) return
    const empty = (name: string) => (isMissing(name, values, constraints) ? missing[name] : undefined)
    const found = Object.keys(missing).map((name) => [name, empty(name) ?? wordsFor(name, values)] as const)
    const first = found.find(([, error]) => error)
    event.preventDefault()
    note(Object.fromEntries(found))
    setAsked(true)
    event.currentTarget.querySelector<HTMLElement>(`[name="${first![0]}"]`)?.focus()
  }
  const sent = formOf(parts)
  // What is mended goes from the summary, too; until something was to be sent, what is wrong stands beside its field alone.
  const errors = asked || reply ? fields : {}
  return { form, sent: { ...sent, errors }, handlers: { onChange, onBlur, onSubmit } }
}

/** What the page found itself since the last reply, which is about all that was sent. */
function useOwnErrors(reply: Parts['reply']) {
  const [own, setOwn] = useState<{ since: Parts['reply']; found: Found }>({ since: reply, found: {} })
  const found = own.since === reply ? own.found : {}
  const note = (more: Found) =>
    setOwn((before) => ({ since: reply, found: { ...(before.since === reply ? before.found : {}), ...more } }))
  return [found, note] as const
}

/** A summary names fields as the page does, whichever was found wrong first. */
function inOrder(names: readonly string[], found: Found): Readonly<Record<string, string>> {
  const all = [...new Set([...names, ...Object.keys(found)])]
  return Object.fromEntries(all.filter((name) => found[name]).map((name) => [name, found[name] as string]))
}
