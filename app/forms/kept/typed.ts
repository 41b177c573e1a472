declare global {
  interface HTMLElementEventMap {
    /** To a group of boxes with `data-chips`, the name of its boxes: these are chosen, also those that it has no box for yet. */
    chips: CustomEvent<readonly string[]>
  }
}

/** What a form's fields have, by name: each value of a field that has several, none for boxes that nobody ticked. */
export type Typed = Readonly<Record<string, readonly string[]>>

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const NEVER = /password|confirm|code|token/i
const SECRET = /password|one-time-code|username/
/** Not typed, or nothing to be written down. */
const TYPES = new Set(['password', 'file', 'hidden', 'submit', 'button', 'reset', 'image'])

/** Never a secret, also while a password is shown as text. */
function isKept(control: Element): control is Control {
  if (control instanceof HTMLInputElement && TYPES.has(control.type)) return false
  if (!('name' in control) || !('value' in control) || control instanceof HTMLButtonElement) return false
  const { name, autocomplete } = control as HTMLInputElement
  return name !== '' && !NEVER.test(name) && !SECRET.test(autocomplete)
}

export const controlsOf = (form: HTMLFormElement): readonly Control[] => [...form.elements].filter(isKept)

/** The groups of boxes to which words are added, by the name of their boxes: they may have none yet. */
export function chipsOf(form: HTMLFormElement): ReadonlyMap<string, HTMLElement> {
  const groups = [...form.querySelectorAll<HTMLElement>('[data-chips]')]
  return new Map(groups.map((group) => [group.dataset.chips ?? '', group]))
}

/** A form whose fields are kept: a search is in its address, and some hold nothing worth it. */
export function isKeptForm(form: HTMLFormElement): boolean {
  return form.method === 'post' && form.dataset.drafts !== 'none' && controlsOf(form).length > 0
}

/** The page whose draft it is: the one that it is on, or, for a form that several pages have, the one that it is sent to. */
export function pathOf(form: HTMLFormElement, at = location.href): string {
  return new URL(form.dataset.drafts === 'action' ? form.action : at, at).pathname
}

/** What names a form on its page, whatever ids its command has. */
export function nameOf(form: HTMLFormElement): string {
  const { pathname, hash } = new URL(form.action, location.href)
  return [pathname + hash, ...Object.keys(typedIn(form)).sort()].join(' ')
}

const isBox = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')

export function typedIn(form: HTMLFormElement): Typed {
  const typed: Record<string, string[]> = Object.fromEntries([...chipsOf(form).keys()].map((name) => [name, []]))
  for (const control of controlsOf(form)) {
    const values = typed[control.name] ?? []
    typed[control.name] = values
    if (control instanceof HTMLSelectElement) values.push(...[...control.selectedOptions].map(({ value }) => value))
    else if (!isBox(control) || control.checked) values.push(control.value)
  }
  return typed
}

export const isSame = (one: readonly string[] | undefined, other: readonly string[] | undefined): boolean =>
  JSON.stringify(one ?? []) === JSON.stringify(other ?? [])

/** As the server brought it, also where a hand was quicker than this script. */
export function pristine(form: HTMLFormElement): Typed {
  const copy = form.cloneNode(true) as HTMLFormElement
  copy.reset()
  // React writes into the page what is added to a list, and what a field of its own has, as if the server had brought it.
  const parts = [...form.querySelectorAll<HTMLElement>('[data-stored]')]
  const stored = parts.map(({ dataset }) => JSON.parse(dataset.stored ?? '{}') as Typed)
  return Object.assign({}, typedIn(copy), ...stored)
}

/** Only the fields in which the form differs from what it was; one that was emptied and must not be is not typed in. */
export function changedIn(form: HTMLFormElement, before: Typed): Typed {
  const missing = new Set(controlsOf(form).flatMap(({ name, validity }) => (validity.valueMissing ? [name] : [])))
  const isChanged = ([name, values]: [string, readonly string[]]) =>
    !isSame(values, before[name]) && !(missing.has(name) && values.every((value) => value === ''))
  return Object.fromEntries(Object.entries(typedIn(form)).filter(isChanged))
}

/** Writes these fields as a hand would, so that whatever counts or shows them hears of it. */
export function write(form: HTMLFormElement, typed: Typed): void {
  const at = new Map<string, number>()
  const chips = chipsOf(form)
  for (const [name, group] of chips)
    if (typed[name]) group.dispatchEvent(new CustomEvent('chips', { detail: typed[name] }))
  for (const control of controlsOf(form)) {
    const values = typed[control.name]
    if (!values || chips.has(control.name)) continue
    if (isBox(control)) {
      const wanted = values.includes(control.value)
      // A radio button is left by pressing another one.
      if (control.checked !== wanted && (wanted || control.type === 'checkbox')) control.click()
      continue
    }
    if (control instanceof HTMLSelectElement)
      for (const option of control.options) option.selected = values.includes(option.value)
    else {
      const nth = at.get(control.name) ?? 0
      at.set(control.name, nth + 1)
      setValue(control, values[nth] ?? '')
    }
    control.dispatchEvent(new Event('input', { bubbles: true }))
    control.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

/** By the element's own setter: React overrides that of a field, and would take the value for one that it knows. */
function setValue(control: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const prototype = control instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, value)
}
