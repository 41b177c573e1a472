import type { Page } from 'playwright'
import { PASSWORD } from '../../support/newcomers.ts'
import { until } from '../../support/until.ts'
import { type Answer, answered, isSettled, send } from './answered.ts'
import type { Visit } from './cast.ts'
import { fillForm, fillSecrets, formHolds, type TypedField } from './forms-of-page.ts'

const DELIVERED_MS = 12_000
/** A page that is read anew writes back what was typed a moment later. */
const WRITTEN_MS = 5_000

type Again = {
  readonly page: Page
  readonly at: number
  readonly script: boolean
  readonly typed: readonly TypedField[]
}

/** Sends once more what failed, in the way that the page offers, and answers what came of it, in a word. */
export async function sendAgain(one: Again): Promise<'accepted' | 'refused' | string> {
  const { page, at, script, typed } = one
  const how = { script, mayKeep: false }
  // What is read again waits for its next look.
  if (script) await isSettled(page)
  const again = page.getByRole('button', { name: 'Send again' })
  // A toast may lie over the form's own button.
  const retry = page.getByRole('button', { name: 'Retry' }).last()
  const back = page.getByRole('link', { name: 'Back to the form' })
  if (await again.isVisible()) return named(await answered(page, () => again.click({ noWaitAfter: true }), how))
  if (await back.isVisible()) {
    // What was typed is copied from here into the form.
    await back.click()
    await page.waitForLoadState()
    await fillForm(page, at, typed.find(({ isBox }) => !isBox)?.value ?? 'Drill')
    return named(await send(page, at, how))
  }
  // A form may be drawn anew while it is looked at.
  const isWritten = () => formHolds(page, at, typed).catch(() => false)
  const isHere = await until('the form has what was typed', isWritten, WRITTEN_MS).catch(() => false)
  if (!isHere) return queued(page, typed)
  await fillSecrets(page, at)
  const press = (await retry.isVisible()) ? () => retry.click({ noWaitAfter: true }) : null
  const answer = await (press ? answered(page, press, how) : send(page, at, how))
  return answer ? named(answer) : queued(page, typed)
}

/** A page may refuse what a drill types, in words of its own: the login does so by 401. */
function named(answer: Answer): 'accepted' | 'refused' | string {
  if (!answer) return 'no answer'
  const { status } = answer
  if (status < 400) return 'accepted'
  return [400, 401, 409, 413, 422].includes(status) ? 'refused' : `answered ${status}`
}

/** A page that empties its form sends it by itself once it can. */
async function queued(page: Page, typed: readonly TypedField[]): Promise<'accepted' | string> {
  const isDelivered = () =>
    page.evaluate(
      (texts) => {
        const sent = [...document.querySelectorAll('.message-mine')].filter(
          (one) => !['sending', 'failed'].includes(one.getAttribute('data-state') ?? ''),
        )
        return texts.every((text) => sent.some((one) => one.textContent?.includes(text)))
      },
      typed.filter(({ isBox }) => !isBox).map(({ value }) => value),
    )
  // Its room may not have opened.
  if (!(await page.locator('.message-mine').count())) await page.reload()
  return until('the message is delivered', () => isDelivered().catch(() => false), DELIVERED_MS).then(
    () => 'accepted',
    () => `not in the form, and not sent by the page, at ${new URL(page.url()).pathname}`,
  )
}

/** Signs in where the page led, and goes to the form where no login leads there: that of staff. */
export async function comeBack(page: Page, { as, path }: Visit): Promise<void> {
  await page.waitForURL(/\/login|\/$/)
  if (new URL(page.url()).pathname === '/') await page.goto('/login')
  await page.getByLabel('E-mail').fill(as?.email ?? '')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
  if (new URL(page.url()).pathname !== path.split('?')[0] && path.startsWith('/audit')) await page.goto(path)
}
