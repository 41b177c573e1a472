import type { Locator } from 'playwright'
import { expect } from 'playwright/test'

/** Sends a form with something wrong in each of its fields, past what its controls let people choose. */
async function sendSpoilt(form: Locator): Promise<void> {
  await form.evaluate((element: HTMLFormElement) => {
    const wrong = 'z'.repeat(600)
    const spoilt: Record<string, string> = { number: '-5', date: '', tel: 'none', password: '' }
    for (const control of element.elements) {
      if (control instanceof HTMLSelectElement) control.add(new Option(wrong, wrong, true, true))
      if (control instanceof HTMLTextAreaElement) control.value = wrong
      if (!(control instanceof HTMLInputElement) || control.type === 'hidden' || control.type === 'file') continue
      control.value = spoilt[control.type] ?? wrong
      if (control.type === 'radio') control.checked = true
    }
    element.requestSubmit()
  })
}

/** Each link of a spoilt form's summary moves the focus to its field, or to the group of its fields. */
export async function expectSummaryLeadsToFields(form: Locator, fields: readonly string[]): Promise<void> {
  await sendSpoilt(form)
  const links = form.getByRole('alert').getByRole('link')
  const targets = () => links.evaluateAll((all) => all.map((link) => link.getAttribute('href')?.slice(1)))
  await expect.poll(targets).toEqual(expect.arrayContaining([...fields]))
  for (const link of await links.all()) {
    const target = form.locator(`[id="${(await link.getAttribute('href'))?.slice(1)}"]`)
    await link.click()
    await expect(target).toBeFocused()
  }
}
