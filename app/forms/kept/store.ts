import type { Typed } from './typed.ts'

const PREFIX = 'draft:'
const VISITOR = 'visitor'
/** ruling R15 */
const KEPT_MS = 24 * 60 * 60 * 1_000
/** Characters of one form's draft, and of all of them: a browser gives an origin some millions. */
const ONE_MAX = 300_000
const ALL_MAX = 1_500_000

/** A draft of one form: whose it is, on which page, and which of its forms. */
export type DraftOf = { readonly owner: string | null; readonly path: string; readonly form: string }
type Stored = { readonly at: number; readonly typed: Typed }

const keyOf = ({ owner, path, form }: DraftOf) => `${PREFIX}${owner ?? VISITOR}:${path}:${form}`

/** Of this tab alone: it ends with the tab, and no other one reads it. */
const store = (): Storage => window.sessionStorage

export function readDraft(of: DraftOf): Typed | null {
  return storedAt(keyOf(of))?.typed ?? null
}

/** False where it is not kept: it is too large, or the browser keeps nothing. */
export function keepDraft(of: DraftOf, typed: Typed): boolean {
  const text = JSON.stringify({ at: Date.now(), typed } satisfies Stored)
  if (text.length > ONE_MAX) return false
  try {
    makeRoom(text.length)
    store().setItem(keyOf(of), text)
    return true
  } catch {
    return false
  }
}

export const dropDraft = (of: DraftOf): void => store().removeItem(keyOf(of))

/** Those that are too old go, and those of others than the member who is signed in; for a visitor all others stay. */
export function sweepDrafts(owner: string | null): void {
  const own = [owner, VISITOR].map((one) => `${PREFIX}${one}:`)
  for (const key of keys()) {
    const isOthers = owner !== null && !own.some((prefix) => key.startsWith(prefix))
    if (isOthers || !storedAt(key)) store().removeItem(key)
  }
}

/** Nobody who comes to this tab later finds any. */
export function dropAllDrafts(): void {
  for (const key of keys()) store().removeItem(key)
}

const keys = (): readonly string[] => Object.keys(store()).filter((key) => key.startsWith(PREFIX))

/** Null for none, one that is too old, and what is none of ours. */
function storedAt(key: string): Stored | null {
  try {
    const { at, typed } = JSON.parse(store().getItem(key) ?? 'null') as Stored
    return Date.now() - at < KEPT_MS && typeof typed === 'object' ? { at, typed } : null
  } catch {
    return null
  }
}

/** The oldest go first. */
function makeRoom(length: number): void {
  const all = keys()
    .map((key) => ({ key, at: storedAt(key)?.at ?? 0, length: store().getItem(key)?.length ?? 0 }))
    .sort((one, other) => one.at - other.at)
  let sum = all.reduce((total, one) => total + one.length, length)
  for (const one of all) {
    if (sum <= ALL_MAX) return
    store().removeItem(one.key)
    sum -= one.length
  }
}
