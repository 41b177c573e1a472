import type { Page } from 'playwright'
import { PASSWORD } from '../../support/newcomers.ts'
import { until } from '../../support/until.ts'
import { comeBack, sendAgain } from './again.ts'
import { send } from './answered.ts'
import type { Place, Visit } from './cast.ts'
import { countForms, fillForm, lostFields, type TypedField, unfold } from './forms-of-page.ts'
import { canMeet, endsSession, HARMS, type Harm, harm, heal, isExcepted, isUnanswered } from './harms.ts'
import { nameOf, type Outcome } from './outcome.ts'
import { closeVisit, goTo, isAway, openPage, type Stage } from './stage.ts'

/** An answer takes its time. */
const THERE_MS = 4_000
/** Whatever hangs, the drill goes on. */
const CASE_MS = 60_000
const CLOSE_MS = 10_000

type Round = { readonly stage: Stage; readonly place: Place; readonly at: number; readonly script: boolean }
type Look = { readonly page: Page; readonly visit: Visit; readonly typed: readonly TypedField[] }
type Measured = Pick<Outcome, 'verdict' | 'fields' | 'lost' | 'again' | 'leaks'>

/** Puts one form through every harm that it can meet; nothing where nobody types into it. */
export async function* casesOf(round: Round): AsyncGenerator<Outcome> {
  const { place, at, script } = round
  const rest = { fields: 0, lost: [], again: '', leaks: false, trouble: [] }
  let before: Look | null = null
  for (const how of HARMS) {
    const meeting = { isOfMembers: place.isOfMembers, script, harm: how }
    const own = { form: `${place.name} ${at}`, harm: how, script }
    if (!canMeet(meeting)) continue
    if (isExcepted(meeting)) {
      yield { ...own, ...rest, verdict: 'excepted' }
      continue
    }
    const trouble: string[] = []
    let measured: Measured | null = null
    for (let tries = 0; tries < 2 && !measured; tries++) {
      const tried: Tried = await tryCase(round, how, before)
      before = tried.next
      if (tried.measured === 'bare' && how === HARMS[0]) return
      if (tried.measured !== 'bare') measured = tried.measured
      trouble.push(...tried.trouble)
    }
    yield { ...own, ...rest, ...(measured ?? { verdict: 'failed' }), trouble }
  }
  if (before) await closePage(before.page)
}

/** `next`: the page that the next case may take; `bare`: nobody types into the form. */
type Tried = { readonly measured: Measured | 'bare' | null; readonly next: Look | null; readonly trouble: string[] }

async function tryCase(round: Round, how: Harm, before: Look | null): Promise<Tried> {
  const { stage, place, at, script } = round
  const name = nameOf({ form: `${place.name} ${at}`, harm: how, script })
  const open: { look: Look | null } = { look: before }
  const work = async () => {
    const look = await typedIn(round, name, before)
    open.look = look
    return look.typed.length > 0 ? await runCase(round, look, how) : 'bare'
  }
  // Nothing of a page may be sent once the harm is over.
  const close = async () => open.look && (await closePage(open.look.page))
  try {
    const measured = await within(CASE_MS, work())
    await heal(stage, open.look?.page)
    if (measured !== 'bare' && !endsSession(how)) return { measured, next: open.look, trouble: [] }
    await close()
    return { measured, next: null, trouble: measured === 'bare' ? ['There is no form to type into.'] : [] }
  } catch (error) {
    await close()
    await heal(stage, undefined)
    return { measured: null, next: null, trouble: [String(error).split('\n')[0] ?? 'unknown'] }
  }
}

const closePage = (page: Page) => within(CLOSE_MS, closeVisit(page)).catch(() => undefined)

/** Fails once the time is over, while the work may go on. */
const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    AbortSignal.timeout(ms).addEventListener('abort', () => reject(new Error(`Not within ${ms} ms.`)))
    work.then(resolve, reject)
  })

/** The form with something typed into it, on the page of the case before where that takes more, or as somebody new. */
async function typedIn({ stage, place, at, script }: Round, mark: string, before: Look | null): Promise<Look> {
  if (before) {
    const { page, visit } = before
    // A form that was done with may still be on its way off the page.
    await goTo(page, visit, script)
    const typed = isAway(page, visit) ? [] : await fill(page, at, mark)
    if (typed.length > 0) return { page, visit, typed }
    await closePage(page)
  }
  const visit = await place.visit()
  const page = await openPage(stage, visit, script)
  try {
    return { page, visit, typed: await fill(page, at, mark) }
  } catch (error) {
    await closePage(page)
    throw error
  }
}

/** What was typed; nothing where the page has no such form, as one that was done with. */
async function fill(page: Page, at: number, mark: string): Promise<readonly TypedField[]> {
  if ((await countForms(page)) <= at) return []
  await unfold(page, at)
  return fillForm(page, at, mark)
}

async function runCase({ stage, at, script }: Round, { page, visit, typed }: Look, how: Harm): Promise<Measured> {
  await harm(stage, page, how)
  // A page that hears of the end leads to the login by itself.
  if (how === 'signed-out' && script) await page.waitForURL(/\/login|\/$/).catch(() => undefined)
  if (!isAway(page, visit)) await send(page, at, { script, mayKeep: isUnanswered(how) })
  if (endsSession(how)) await comeBack(page, visit)
  if (endsSession(how) && (await countForms(page)) > at) await unfold(page, at)
  const lostAtOnce = await lostAfter(page, typed)
  const leaks = !script && (await page.content()).includes(PASSWORD)
  await heal(stage, page)
  // A page that could not be read at that moment reads itself again.
  const lost = script && lostAtOnce.length > 0 && isAway(page, visit) ? await lostAfter(page, typed) : lostAtOnce
  const again = lost.length > 0 ? 'nothing to send' : await sendAgain({ page, at, script, typed })
  return { verdict: lost.length > 0 ? 'lost' : 'kept', fields: typed.length, lost, again, leaks }
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
