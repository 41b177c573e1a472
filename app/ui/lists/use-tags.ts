import { type FormEvent, type RefObject, useEffect, useState } from 'react'

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
const apart = (text: string) => text.split(/[,\n]/).map((word) => word.trim().replace(/\s+/g, ' '))

/** The tags that a text with commas between them holds, each once however it is written. */
export function tagsOf(text: string, before: readonly string[] = []): readonly string[] {
  const tags = [...before]
  for (const word of apart(text)) if (word && !tags.some((one) => same(one, word))) tags.push(word)
  return tags
}

export type TagNote = { readonly text: string; readonly isRefusal?: true }
const SILENT: TagNote = { text: '' }

/**
 * Takes the words of a field apart into tags; null until script runs, and with it what was typed before. `note` is what
 * a screen reader hears of the last change.
 */
export function useTags(input: RefObject<HTMLInputElement>, max = Number.POSITIVE_INFINITY) {
  const [tags, setTags] = useState<readonly string[] | null>(null)
  const [note, setNote] = useState(SILENT)
  useEffect(() => {
    const { current: field } = input
    if (!field) return
    setTags(tagsOf(field.value))
    field.value = ''
  }, [input])
  function empty(rest = ''): void {
    if (input.current) input.current.value = rest
  }
  function add(text: string): void {
    if (!tags || !text.trim()) return
    const next = tagsOf(text, tags)
    const added = next.slice(tags.length, max)
    setTags([...tags, ...added])
    const left = next.slice(max)
    if (left.length > 0) setNote({ text: `There is room for ${max}.`, isRefusal: true })
    else setNote({ text: added.length > 0 ? `${added.join(', ')} added` : 'Already there' })
    // What finds no room stays to be read.
    empty(left.join(' '))
  }
  /** A comma ends a word: keyboards on screen announce no keys. */
  function addWhole(event: FormEvent<HTMLInputElement>): void {
    const { value } = event.currentTarget
    if (tags && value.includes(',')) add(value)
  }
  function remove(at: number): void {
    if (!tags) return
    setTags(tags.filter((_, index) => index !== at))
    setNote({ text: `${tags[at]} removed` })
    input.current?.focus()
  }
  return { tags, note, add, addWhole, remove }
}
