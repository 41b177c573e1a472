import type { Page } from 'playwright'
import { until } from '../../support/until.ts'
import { PASSWORD } from '../../support/world-people.ts'
import { comeBack, sendAgain } from './again.ts'
import { arrives, send } from './answered.ts'
import type { Place, Visit } from './cast.ts'
import { countForms, fillForm, lostFields, type TypedField, unfold } from './forms-of-page.ts'
import { endsSession, type Harm, harm, harmsFor, heal, isUnanswered } from './harms.ts'
import { goTo, isAway, openPage, type Stage } from './stage.ts'

/** An answer takes its time. */
const THERE_MS = 4_000

/** A form of a page under one harm. */
export type Outcome = {
  readonly name: string
  readonly fields: number
  /** Whose text is on no page any more. */
  readonly lost: readonly string[]
  /** What came of sending it once more. */
  readonly again: string
  /** A password is in the page. */
  readonly leaks: boolean
  /** What kept the drill from measuring it; empty for a case that was measured. */
  readonly trouble: string
}

type Round = { readonly stage: Stage; readonly place: Place; readonly at: number; readonly script: boolean }
type Look = { readonly page: Page; readonly visit: Visit; readonly typed: readonly TypedField[] }

/** Puts one form through every harm that it can meet; nothing where nobody types into it. */
export async function* casesOf(round: Round): AsyncGenerator<Outcome> {
  const { stage, place, at, script } = round
  let before: Look | null = null
  for (const how of harmsFor({ isOfMembers: place.isOfMembers, script })) {
    const name = `${place.name} ${at} ${how} ${script ? 'script' : 'plain'}`
    let look: Look | null = null
    let outcome: Outcome = { name, fields: 0, lost: [], again: '', leaks: false, trouble: '' }
    try {
      look = await typedIn(round, name, before)
      if (look.typed.length > 0) outcome = { ...outcome, ...(await runCase(round, look, how)) }
    } catch (error) {
      outcome = { ...outcome, trouble: String(error).split('\n')[0] ?? 'unknown' }
    }
    const page = (look ?? before)?.page
    await heal(stage, page)
    before = outcome.trouble || endsSession(how) ? null : look
    // Nothing of the page may be sent once the harm is over.
    if (!before) await page?.context().close()
    if (look?.typed.length === 0) break
    yield outcome
  }
  await before?.page.context().close()
}

/** The form with something typed into it, on the page of the case before where that takes more, or as somebody new. */
async function typedIn({ stage, place, at, script }: Round, mark: string, before: Look | null): Promise<Look> {
  if (before) {
    const { page, visit } = before
    if (script) await arrives(page)
    if (isAway(page, visit) || !script || (await countForms(page)) <= at) await goTo(page, visit, script)
    const typed = isAway(page, visit) ? [] : await fill(page, at, mark)
    if (typed.length > 0) return { page, visit, typed }
    await page.context().close()
  }
  const visit = await place.visit()
  const page = await openPage(stage, visit, script)
  return { page, visit, typed: await fill(page, at, mark) }
}

async function fill(page: Page, at: number, mark: string): Promise<readonly TypedField[]> {
  await unfold(page, at)
  return fillForm(page, at, mark)
}

async function runCase(
  { stage, at, script }: Round,
  { page, visit, typed }: Look,
  how: Harm,
): Promise<Pick<Outcome, 'fields' | 'lost' | 'again' | 'leaks'>> {
  await harm(stage, page, how)
  // A page that hears of the end leads to the login by itself.
  if (how === 'signed-out' && script) await page.waitForURL(/\/login|\/$/).catch(() => undefined)
  if (!isAway(page, visit)) await send(page, at, { script, mayKeep: isUnanswered(how) })
  if (endsSession(how)) await comeBack(page, visit)
  if (endsSession(how)) await unfold(page, at)
  const lost = await lostAfter(page, typed)
  const leaks = !script && (await page.content()).includes(PASSWORD)
  await heal(stage, page)
  const again = lost.length > 0 ? 'nothing to send' : await sendAgain({ page, at, script, typed })
  return { fields: typed.length, lost, again, leaks }
}

/** Looked for until it is there: answers take their time. */
async function lostAfter(page: Page, typed: readonly TypedField[]): Promise<readonly string[]> {
  await page.waitForLoadState()
  let lost: readonly string[] = []
  const isThere = async () => {
    lost = await lostFields(page, typed).catch((error) => [`the page, ${String(error).split('\n')[0]}`])
    return lost.length === 0
  }
  await until('everything typed is on the page', isThere, THERE_MS).catch(() => undefined)
  return lost
}
