import { useEffect, useRef, useState } from 'react'

/** A result, and the page that it opens. */
export type Found = { to: string; label: string; note?: string; face?: { name: string; src: string | null } }
/** Looks for words; what is no longer wanted is aborted. */
export type Find = (words: string, signal: AbortSignal) => Promise<readonly Found[]>
export type Search = {
  readonly state: 'idle' | 'searching' | 'found' | 'failed'
  readonly found: readonly Found[]
}

const NOTHING: Search = { state: 'idle', found: [] }
/** Whoever stops typing for so long wants to see results. */
const TYPED_MS = 150

/** What the words typed last have found; what was found before stays while it is looked for. */
export function useFound(find: Find): [Search, (words: string) => void] {
  const [search, set] = useState(NOTHING)
  const latest = useRef(find)
  latest.current = find
  const asked = useRef<AbortController>()
  useEffect(() => () => asked.current?.abort(), [])
  function ask(words: string): void {
    asked.current?.abort()
    if (!words.trim()) {
      set(NOTHING)
      return
    }
    const mine = new AbortController()
    asked.current = mine
    set(({ found }) => ({ state: 'searching', found }))
    const timer = setTimeout(async () => {
      const found = await latest.current(words.trim(), mine.signal).catch(() => null)
      if (!mine.signal.aborted) set(found ? { state: 'found', found } : { state: 'failed', found: [] })
    }, TYPED_MS)
    mine.signal.addEventListener('abort', () => clearTimeout(timer))
  }
  return [search, ask]
}
