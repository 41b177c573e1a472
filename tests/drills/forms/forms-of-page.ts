import type { Locator, Page } from 'playwright'
import { PASSWORD } from '../../support/newcomers.ts'

/** What was typed into one field: a text, or a box that was ticked. */
export type TypedField = { readonly name: string; readonly value: string; readonly isBox: boolean }

const TEXT = 'textarea, input:is([type=text], [type=email], [type=tel], [type=number], [type=date], :not([type]))'
const SECRET = 'input[type=password]'
const BOX = 'input:is([type=checkbox], [type=radio])'

const ANY_FORM = 'main form[method=post]'
/** One with something to type or to tick, by its place among those of the page; buttons beside it come and go. */
const FORM = `${ANY_FORM}:has(${TEXT}, ${BOX})`

/** How many forms the page has in which something is typed or ticked, folded away or not. */
export const countForms = (page: Page): Promise<number> => page.locator(FORM).count()

/** How many it has that are buttons alone, or ask for a password or a file. */
export const countBare = async (page: Page): Promise<number> =>
  (await page.locator(ANY_FORM).count()) - (await countForms(page))

/** Opens whatever the form is folded away in, and nothing that would lie over it. */
export const unfold = (page: Page, at: number): Promise<void> =>
  page
    .locator(FORM)
    .nth(at)
    .evaluate((form) => {
      for (let part = form.parentElement; part; part = part.parentElement)
        if (part instanceof HTMLDetailsElement) part.open = true
    })

/** Types a password wherever the form asks for one: it is never kept. */
export async function fillSecrets(page: Page, at: number): Promise<void> {
  for (const field of await page.locator(FORM).nth(at).locator(SECRET).all())
    if (await field.isVisible()) await field.fill(PASSWORD)
}

/** Whether the form is on the page with what was typed, to be sent from there. */
export const formHolds = async (page: Page, at: number, typed: readonly TypedField[]): Promise<boolean> => {
  const form = page.locator(FORM).nth(at)
  if ((await form.count()) === 0) return false
  return form.evaluate((element, fields) => {
    const controls = [...element.querySelectorAll<HTMLInputElement>('input, textarea')]
    return fields.some(({ value, isBox }) =>
      controls.some((control) => control.value === value && (!isBox || control.checked)),
    )
  }, typed)
}

/** Types something into every text of the form, and ticks one box of each name; answers all but the passwords. */
export async function fillForm(page: Page, at: number, mark: string): Promise<readonly TypedField[]> {
  const form = page.locator(FORM).nth(at)
  const typed: TypedField[] = []
  await fillSecrets(page, at)
  for (const field of await form.locator(TEXT).all()) {
    const { name, type, secret } = await field.evaluate((element) => {
      const { name: own, type: kind, autocomplete } = element as HTMLInputElement
      return { name: own, type: kind, secret: /code|password/i.test(own + autocomplete) }
    })
    if (secret || !(await field.isVisible()) || !(await field.isEditable())) continue
    const value = valueFor(type, mark)
    await field.fill(value)
    typed.push({ name, value, isBox: false })
  }
  const ticked = new Set<string>()
  for (const box of await form.locator(BOX).all()) {
    const { name, value, checked } = await box.evaluate((element) => {
      const { name: own, value: one, checked: is } = element as HTMLInputElement
      return { name: own, value: one, checked: is }
    })
    if (checked || ticked.has(name) || !(await box.isEnabled())) continue
    ticked.add(name)
    await tick(box)
    typed.push({ name, value, isBox: true })
  }
  return typed
}

/** As a person does: a box that its label draws is ticked there. */
async function tick(box: Locator): Promise<void> {
  const label = box.locator('xpath=ancestor::label[1]')
  await ((await label.count()) > 0 ? label : box).click()
  if (!(await box.isChecked())) throw new Error('A press ticks nothing.')
}

function valueFor(type: string, mark: string): string {
  if (type === 'number') return '171'
  if (type === 'date') return '1990-05-05'
  if (type === 'email') return `${mark.toLowerCase().replaceAll(' ', '.')}@example.com`
  return type === 'tel' ? '+47 912 34 567' : mark
}

/** Presses the form's own button as a person does; where it has none to press, Enter does in its last field. */
export async function sendForm(page: Page, at: number): Promise<void> {
  const form = page.locator(FORM).nth(at)
  const buttons = form.locator('button:not([type=button]):not([aria-hidden=true])')
  for (const button of (await buttons.all()).reverse()) {
    if (!(await button.isVisible()) || (await button.getAttribute('value')) === 'back') continue
    return button.click({ noWaitAfter: true })
  }
  await form.locator(TEXT).last().press('Enter', { noWaitAfter: true })
}

/** The names of those fields that the page shows nowhere any more, neither in a field nor in its text. */
export async function lostFields(page: Page, typed: readonly TypedField[]): Promise<readonly string[]> {
  // No function in it has a name: the program that runs a drill would mark it by a helper that no page has.
  return page.evaluate((fields) => {
    const controls = [...document.querySelectorAll<HTMLInputElement>('input, textarea, select')]
    const text = document.body.innerText
    return fields
      .filter(({ name, value, isBox }) => {
        // The label of a box is there whether or not it is ticked.
        if (!isBox && text.includes(value)) return false
        return !controls.some((control) => {
          if (control.value !== value) return false
          const isTicked = isBox && control.name === name && control.checked
          return isTicked || !['checkbox', 'radio'].includes(control.type)
        })
      })
      .map(({ name }) => name)
  }, typed)
}
