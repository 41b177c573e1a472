import { Form, useNavigation, useSubmit } from '@remix-run/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { TextInput } from '../../forms/text-input.tsx'
import { useAskedForm } from '../../forms/use-asked-form.ts'
import { useConnectionState } from '../../live/use-live.tsx'
import { useListPath } from '../../ui/room-path.ts'

const TYPED_MS = 200

/** What the page was asked for; `whole`: all that answers to it is in the page. */
type Asked = { search: string; whole: boolean }
type Named = { firstName: string; lastName: string }
export type MatchSearch = {
  form: RefObject<HTMLFormElement>
  typed: string
  /** Of the matches in the page, those that answer to what is typed. */
  found: <M extends Named>(matches: readonly M[]) => readonly M[]
  onInput: () => void
  onSubmit: () => void
  clear: () => void
}

/**
 * The list follows what is typed. What the page has is looked through at once; where that cannot be all, the server is
 * asked, as long as it is known to be there: an answer that does not come would take an open room away.
 */
export function useMatchSearch({ search, whole }: Asked): MatchSearch {
  const { form } = useAskedForm(search)
  const [typed, setTyped] = useState(search)
  const submit = useSubmit()
  const isLive = useConnectionState() === 'live'
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const { location, formData } = useNavigation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page was asked for something else
  useEffect(() => setTyped(boxOf(form)?.value ?? ''), [form, search])
  useEffect(() => () => clearTimeout(timer.current), [])
  // Who goes elsewhere is not called back.
  useEffect(() => {
    if (location && !formData) clearTimeout(timer.current)
  }, [location, formData])
  function onInput(): void {
    const value = boxOf(form)?.value ?? ''
    setTyped(value)
    clearTimeout(timer.current)
    if (isLive && !(whole && lower(value).includes(lower(search))))
      timer.current = setTimeout(() => submit(form.current, { replace: true }), TYPED_MS)
  }
  function clear(): void {
    const box = boxOf(form)
    if (box) box.value = ''
    setTyped('')
  }
  function found<M extends Named>(matches: readonly M[]): readonly M[] {
    if (typed === search) return matches
    const named = matches.filter(({ firstName, lastName }) => lower(`${firstName} ${lastName}`).includes(lower(typed)))
    // The server may find more.
    return named.length > 0 || whole ? named : matches
  }
  return { form, typed, found, onInput, onSubmit: () => clearTimeout(timer.current), clear }
}

const lower = (text: string) => text.trim().toLowerCase()
const boxOf = (form: RefObject<HTMLFormElement>) => form.current?.querySelector<HTMLInputElement>('[name=q]')

/** Beside an open room the search leaves it open. */
export function SearchBox({ search, asked }: { search: MatchSearch; asked: string }) {
  const path = useListPath()
  const { form, onInput, onSubmit } = search
  return (
    <Form method="get" action={path} role="search" ref={form} onInput={onInput} onSubmit={onSubmit}>
      <TextInput
        label="Search matches"
        hideLabel
        name="q"
        optional
        type="search"
        defaultValue={asked}
        placeholder="Search"
      />
    </Form>
  )
}
