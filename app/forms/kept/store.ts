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
/** The same, for as long as the document lives: a sign-out in another tab has the browser clear what this one keeps. */
const copies = new Map<string, string>()

const textAt = (key: string): string | null => store().getItem(key) ?? copies.get(key) ?? null

function drop(key: string): void {
  copies.delete(key)
  store().removeItem(key)
}

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
    copies.set(keyOf(of), text)
    return true
  } catch {
    return false
  }
}

export const dropDraft = (of: DraftOf): void => drop(keyOf(of))

/** Those that are too old go, and those of others than the member who is signed in; for a visitor all others stay. */
export function sweepDrafts(owner: string | null): void {
  const own = [owner, VISITOR].map((one) => `${PREFIX}${one}:`)
  for (const key of keys()) {
    const isOthers = owner !== null && !own.some((prefix) => key.startsWith(prefix))
    if (isOthers || !storedAt(key)) drop(key)
  }
}

/** Nobody who comes to this tab later finds any. */
export function dropAllDrafts(): void {
  for (const key of keys()) drop(key)
}

const keys = (): readonly string[] =>
  [...new Set([...Object.keys(store()), ...copies.keys()])].filter((key) => key.startsWith(PREFIX))

/** Null for none, one that is too old, and what is none of ours. */
function storedAt(key: string): Stored | null {
  try {
    const { at, typed } = JSON.parse(textAt(key) ?? 'null') as Stored
    return Date.now() - at < KEPT_MS && typeof typed === 'object' ? { at, typed } : null
  } catch {
    return null
  }
}

/** The oldest go first. */
function makeRoom(length: number): void {
  const all = keys()
    .map((key) => ({ key, at: storedAt(key)?.at ?? 0, length: textAt(key)?.length ?? 0 }))
    .sort((one, other) => one.at - other.at)
  let sum = all.reduce((total, one) => total + one.length, length)
  for (const one of all) {
    if (sum <= ALL_MAX) return
    drop(one.key)
    sum -= one.length
  }
}
