import type { Browser } from 'playwright'
import { FEW_PROCESSES, launchBrowser } from '../../support/browser.ts'
import { startWorld, type World } from '../../support/world.ts'
import { type Place, placesOf } from './cast.ts'
import { countBare, countForms } from './forms-of-page.ts'
import { nameOf, type Outcome, wordsOf } from './outcome.ts'
import { casesOf } from './rounds.ts'
import { closeVisit, openPage, type Stage, setStage } from './stage.ts'
import { tableOf } from './table.ts'

/** So many forms are harmed at once, each before pages of its own. */
const STAGES = 3
const NAME_WIDTH = 36

/**
 * A case is a form of a page under one harm. `bare`: forms in which nothing is typed, which have no case. `refused`: sent
 * again, it was refused by its page in words of its own. `excepted`: no case of the product.
 */
export type FormFigures = {
  forms: number
  bare: number
  cases: number
  fields: number
  kept: number
  accepted: number
  refused: number
  excepted: number
  /** The fields whose text is on no page any more. */
  lost: string[]
  /** Whose text is there, and which does not get through once all is well. */
  unsent: string[]
  /** Where a password is in a page. */
  leaked: string[]
  /** What kept a case, or all of a page, from being measured. */
  failures: string[]
  /** Cases that were measured at a second try. */
  again: string[]
}

type Options = {
  /** Only these pages; all when absent. */
  pages?: readonly string[]
  print?: (line: string) => void
}
type Run = {
  readonly figures: FormFigures
  readonly outcomes: Outcome[]
  readonly print: (line: string) => void
}

/** Types into every form of the product, harms the sending in each way, looks for what was typed, and sends it again. */
export async function formDrill({ pages, print = () => undefined }: Options = {}): Promise<FormFigures> {
  const world = await startWorld()
  const browser = await launchBrowser(FEW_PROCESSES)
  const counts = { forms: 0, bare: 0, cases: 0, fields: 0, kept: 0, accepted: 0, refused: 0, excepted: 0 }
  const figures: FormFigures = { ...counts, lost: [], unsent: [], leaked: [], failures: [], again: [] }
  const places = placesOf(world).filter(({ name }) => !pages || pages.includes(name))
  const startedAt = performance.now()
  const seconds = () => String(Math.round((performance.now() - startedAt) / 1_000)).padStart(5)
  const all = places.length
  const progress = (line: string) => print(`${seconds()} s  ${all - places.length}/${all}  ${line}`)
  const run: Run = { figures, outcomes: [], print: progress }
  try {
    const work = Array.from({ length: Math.min(STAGES, all) }, () => workThrough({ world, browser, places }, run))
    await Promise.all(work)
  } finally {
    await browser.close()
    await world.stop()
  }
  for (const line of ['', ...tableOf(run.outcomes), '', `${seconds().trim()} s: ${lineOfFigures(figures)}`]) print(line)
  return figures
}

type Work = { readonly world: World; readonly browser: Browser; readonly places: Place[] }

/** Takes one page after the other, until none is left. */
async function workThrough({ world, browser, places }: Work, run: Run): Promise<void> {
  const stage = await setStage(world, browser)
  try {
    for (let place = places.shift(); place; place = places.shift()) {
      const { name } = place
      await drillPlace(stage, place, run).catch((error) => {
        run.figures.failures.push(`${name}: ${String(error).split('\n')[0]}`)
      })
    }
  } finally {
    await stage.close()
  }
}

async function drillPlace(stage: Stage, place: Place, { figures, outcomes, print }: Run): Promise<void> {
  const page = await openPage(stage, await place.visit(), true)
  const forms = await countForms(page)
  figures.bare += await countBare(page)
  await closeVisit(page)
  for (let at = 0; at < forms; at++) {
    const before = outcomes.length
    for (const script of [true, false])
      for await (const outcome of casesOf({ stage, place, at, script })) {
        outcomes.push(outcome)
        count(outcome, figures)
        if (outcome.verdict !== 'excepted') print(`${nameOf(outcome).padEnd(NAME_WIDTH)} ${wordsOf(outcome)}`)
      }
    figures[outcomes.length > before ? 'forms' : 'bare']++
  }
}

function count(outcome: Outcome, figures: FormFigures): void {
  const name = nameOf(outcome)
  const { verdict, fields, lost, again, leaks, trouble } = outcome
  if (verdict === 'excepted') {
    figures.excepted++
    return
  }
  figures.cases++
  figures.fields += fields
  if (leaks) figures.leaked.push(name)
  if (verdict === 'failed') figures.failures.push(`${name}: ${trouble.join('; ')}`)
  else if (trouble.length > 0) figures.again.push(`${name}: ${trouble.join('; ')}`)
  if (verdict === 'lost') figures.lost.push(...lost.map((field) => `${name}: ${field}`))
  if (verdict !== 'kept') return
  figures.kept++
  if (again === 'accepted' || again === 'refused') figures[again]++
  else figures.unsent.push(`${name}: ${again}`)
}

function lineOfFigures(figures: FormFigures): string {
  const { forms, bare, cases, fields, kept, accepted, refused, excepted, lost, unsent, leaked, failures } = figures
  return [
    `${forms} forms (and ${bare} without a text), ${cases} cases with ${fields} fields`,
    `${kept} kept (${accepted} accepted and ${refused} refused when sent again, ${unsent.length} not sent)`,
    `${lost.length} fields lost, ${leaked.length} leaked, ${failures.length} failed, ${excepted} excepted`,
  ].join('; ')
}
