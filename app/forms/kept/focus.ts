import { chipsOf, controlsOf } from './typed.ts'

/** The control of this name with which a hand begins: of radios the chosen one, of words that are added their field. */
function controlOf(form: HTMLFormElement, name: string): HTMLElement | null | undefined {
  const all = controlsOf(form).filter((control) => control.name === name)
  const chosen = all.find(
    (control) => control instanceof HTMLInputElement && control.type === 'radio' && control.checked,
  )
  return chipsOf(form).get(name)?.querySelector<HTMLElement>('input:not([type=checkbox])') ?? chosen ?? all[0]
}

const isFocused = (control: HTMLElement | null | undefined): boolean => {
  control?.focus()
  return control === document.activeElement
}

/** Gives the focus to the first of these fields that takes it, else to the title of their sheet or page. */
export function focusFirst(form: HTMLFormElement, names: readonly string[]): void {
  if (names.some((name) => isFocused(controlOf(form, name)))) return
  focusTitle(form.closest('dialog') ?? document)
}

/** Gives the focus to the title of this sheet or page. */
export function focusTitle(around: ParentNode): void {
  const title = around.querySelector<HTMLElement>('h1') ?? around.querySelector<HTMLElement>('h2')
  if (!title) return
  title.tabIndex = -1
  title.focus()
}

/** A radio that is chosen no more gives its focus to the one that is. */
export function followChosen(form: HTMLFormElement): void {
  const at = document.activeElement
  if (at instanceof HTMLInputElement && at.type === 'radio' && at.form === form && !at.checked)
    focusFirst(form, [at.name])
}
