import { onLateForms } from '../late-forms.ts'
import { takeEarly } from './early.ts'
import { focusFirst, followChosen } from './focus.ts'
import type { Ended } from './on-settled.ts'
import { type DraftOf, dropAllDrafts, dropDraft, keepDraft, readDraft, sweepDrafts } from './store.ts'
import { changedIn, isKeptForm, isSame, nameOf, pathOf, pristine, type Typed, typedIn, write } from './typed.ts'

const KEEP_AFTER_MS = 250
/** Whoever comes after these finds nothing of who was here. */
const ends = ({ path, body }: Ended): boolean =>
  path === '/signout' || (path === '/settings/delete' && new URLSearchParams(body ?? '').get('intent') === 'delete')

/** A form as the page brought it, and whose it was then. */
type Seen = { readonly of: DraftOf; before: Typed; isKept: boolean }

/** What was written back into a form; `focus` is for whoever pressed what goes with it. */
export type Restored = { readonly form: HTMLFormElement; readonly discard: () => void; readonly focus: () => void }

/** Keeps what is typed in the forms of this tab, and writes it back. Knows nothing of React. */
export class Drafts {
  private seen = new WeakMap<HTMLFormElement, Seen>()
  private readonly waiting = new Map<HTMLFormElement, ReturnType<typeof setTimeout>>()
  private readonly stops: readonly (() => void)[]
  private owner: string | null = null
  /** Those in which another member may have typed. */
  private readonly others = new WeakSet<HTMLFormElement>()

  constructor(private readonly onRestored: (restored: Restored) => void) {
    this.stops = [
      listen('focusin', (form) => this.look(form)),
      listen('input', (form) => this.soon(form)),
      listen('change', (form) => this.soon(form)),
      // A form that script sends empties itself, and has nothing left to keep.
      listen('submit', (form) => this.soon(form)),
      onLateForms(() => this.lookAtAll()),
      on(window, 'pagehide', () => this.flush()),
      on(document, 'visibilitychange', () => this.flush()),
    ]
  }

  stop(): void {
    this.flush()
    for (const stop of this.stops) stop()
  }

  /** Whose page it is. Of another member nothing is left, neither here nor in a form that stays. */
  belong(owner: string | null): void {
    this.flush()
    if (owner !== this.owner) {
      for (const form of document.forms) if (this.seen.has(form)) this.others.add(form)
      this.seen = new WeakMap()
      this.owner = owner
    }
    sweepDrafts(owner)
  }

  /** Another page, or another member: its forms are met, and get back what was typed in them. */
  meet(owner: string | null): void {
    this.belong(owner)
    // What was typed before this script came may have left the page since, and is back in a form of another look at it.
    for (const [form, at] of takeEarly('typed') ?? []) if (!form.isConnected && this.look(form, at)) this.keep(form)
    this.lookAtAll()
  }

  /** Whether a text was typed that is kept nowhere but on this page. */
  losesText(): boolean {
    this.flush()
    return [...document.forms].some((form) => this.seen.get(form)?.isKept === false)
  }

  /** The form that was sent is done: nothing of it is left to type. */
  settled(ended: Ended, form: HTMLFormElement | undefined): void {
    if (ended.how === 'done' && ends(ended)) this.end()
    const seen = form && this.seen.get(form)
    if (ended.how !== 'done' || !form || !seen) return
    this.cancel(form)
    seen.before = typedIn(form)
    seen.isKept = true
    dropDraft(seen.of)
  }

  /** Also of the last words, which wait to be kept. */
  private end(): void {
    for (const form of [...this.waiting.keys()]) this.cancel(form)
    dropAllDrafts()
  }

  private lookAtAll(): void {
    for (const form of document.forms) this.look(form)
  }

  private look(form: HTMLFormElement, at?: string): Seen | undefined {
    const known = this.seen.get(form)
    if (known || !isKeptForm(form) || !this.isOwn(form)) return known
    const of = { owner: this.owner, path: pathOf(form, at), form: nameOf(form) }
    const seen: Seen = { of, before: pristine(form), isKept: true }
    this.seen.set(form, seen)
    this.restore(form, seen)
    // A hand may be quicker than this script, and pause.
    if (isTypedIn(form, seen)) this.soon(form)
    return seen
  }

  /** A form of a page that another member opened gets nothing back, and is not kept. */
  private isOwn(form: HTMLFormElement): boolean {
    return !this.others.has(form) && ownerOf(form, this.owner) === this.owner
  }

  /** Into fields that nobody has touched. */
  private restore(form: HTMLFormElement, { of, before }: Seen): void {
    const [draft, shown] = [readDraft(of) ?? {}, typedIn(form)]
    const names = Object.keys(draft).filter(
      (name) => shown[name] && isSame(shown[name], before[name]) && !isSame(shown[name], draft[name]),
    )
    if (names.length === 0) return
    const pick = (from: Typed) => Object.fromEntries(names.map((name) => [name, from[name] ?? []]))
    write(form, pick(draft))
    unfold(form)
    followChosen(form)
    const focus = () => focusFirst(form, names)
    if (form.isConnected) this.onRestored({ form, discard: () => this.discard(form, pick(before)), focus })
  }

  private discard(form: HTMLFormElement, before: Typed): void {
    write(form, before)
    // Boxes that are added are there a moment later.
    const seen = this.seen.get(form)
    if (seen) dropDraft(seen.of)
    this.soon(form)
  }

  private soon(form: HTMLFormElement): void {
    if (!this.look(form)) return
    clearTimeout(this.waiting.get(form))
    this.waiting.set(
      form,
      setTimeout(() => this.keep(form), KEEP_AFTER_MS),
    )
  }

  private flush(): void {
    for (const form of [...this.waiting.keys()]) this.keep(form)
  }

  private cancel(form: HTMLFormElement): void {
    clearTimeout(this.waiting.get(form))
    this.waiting.delete(form)
  }

  private keep(form: HTMLFormElement): void {
    this.cancel(form)
    const seen = this.seen.get(form)
    // One that left the page was kept with its last key.
    if (!seen) return
    const isTyped = isTypedIn(form, seen)
    if (!isTyped) dropDraft(seen.of)
    seen.isKept = !isTyped || keepDraft(seen.of, changedIn(form, seen.before))
  }
}

const isTypedIn = (form: HTMLFormElement, { before }: Seen): boolean => Object.keys(changedIn(form, before)).length > 0

/** Whom the form itself names (`app/shell/owner.tsx`); one that names nobody is of the page's member. */
function ownerOf(form: HTMLFormElement, pages: string | null): string | null {
  const as = form.elements.namedItem('as')
  return as instanceof HTMLInputElement ? as.value : pages
}

/** What was typed into a part that folds is in view once it is back. */
function unfold(form: HTMLFormElement): void {
  for (let part = form.closest('details'); part; part = part.parentElement?.closest('details') ?? null) part.open = true
}

function on(target: EventTarget, name: string, handler: (event: Event) => void): () => void {
  target.addEventListener(name, handler, true)
  return () => target.removeEventListener(name, handler, true)
}

const listen = (name: string, handler: (form: HTMLFormElement) => void) =>
  on(document, name, ({ target }) => {
    const form = target instanceof HTMLFormElement ? target : (target as { form?: unknown } | null)?.form
    if (form instanceof HTMLFormElement) handler(form)
  })
