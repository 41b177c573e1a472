import type { Browser } from 'playwright'
import { launchBrowser } from '../../support/browser.ts'
import { startWorld, type World } from '../../support/world.ts'
import { type Place, placesOf } from './cast.ts'
import { countForms } from './forms-of-page.ts'
import { casesOf, type Outcome } from './rounds.ts'
import { openPage, type Stage, setStage } from './stage.ts'

/** So many forms are harmed at once, each before pages of its own. */
const STAGES = 3

/**
 * A case is a form of a page under one harm. `bare`: forms in which nothing is typed, which have no case. `refused`: sent
 * again, it was refused by its page in words of its own.
 */
export type FormFigures = {
  forms: number
  bare: number
  cases: number
  fields: number
  kept: number
  accepted: number
  refused: number
  /** The fields whose text is on no page any more. */
  lost: string[]
  /** Whose text is there, and which does not get through once all is well. */
  unsent: string[]
  /** Where a password is in a page. */
  leaked: string[]
  /** What kept a case from being measured. */
  failures: string[]
}

type Options = {
  /** Only these pages; all when absent. */
  pages?: readonly string[]
  print?: (line: string) => void
}
type Run = { readonly figures: FormFigures; readonly print: (line: string) => void }

/** Types into every form of the product, harms the sending in each way, looks for what was typed, and sends it again. */
export async function formDrill({ pages, print = () => undefined }: Options = {}): Promise<FormFigures> {
  const world = await startWorld()
  const browser = await launchBrowser()
  const counts = { forms: 0, bare: 0, cases: 0, fields: 0, kept: 0, accepted: 0, refused: 0 }
  const figures: FormFigures = { ...counts, lost: [], unsent: [], leaked: [], failures: [] }
  const places = placesOf(world).filter(({ name }) => !pages || pages.includes(name))
  try {
    const work = Array.from({ length: Math.min(STAGES, places.length) }, () =>
      workThrough({ world, browser, places: places as Place[] }, { figures, print }),
    )
    await Promise.all(work)
  } finally {
    await browser.close()
    await world.stop()
  }
  return figures
}

type Work = { readonly world: World; readonly browser: Browser; readonly places: Place[] }

/** Takes one page after the other, until none is left. */
async function workThrough({ world, browser, places }: Work, run: Run): Promise<void> {
  const stage = await setStage(world, browser)
  try {
    for (let place = places.shift(); place; place = places.shift()) await drillPlace(stage, place, run)
  } finally {
    await stage.close()
  }
}

async function drillPlace(stage: Stage, place: Place, { figures, print }: Run): Promise<void> {
  const page = await openPage(stage, await place.visit(), true)
  const forms = await countForms(page)
  await page.context().close()
  figures.forms += forms
  for (let at = 0; at < forms; at++) {
    let isBare = true
    for (const script of [true, false])
      for await (const outcome of casesOf({ stage, place, at, script })) {
        isBare = false
        count(outcome, figures)
        print(lineOf(outcome))
      }
    if (isBare) figures.bare++
  }
}

function count({ name, fields, lost, again, leaks, trouble }: Outcome, figures: FormFigures): void {
  figures.cases++
  figures.fields += fields
  if (leaks) figures.leaked.push(name)
  if (trouble) figures.failures.push(`${name}: ${trouble}`)
  else if (lost.length > 0) figures.lost.push(...lost.map((field) => `${name}: ${field}`))
  else {
    figures.kept++
    if (again === 'accepted' || again === 'refused') figures[again]++
    else figures.unsent.push(`${name}: ${again}`)
  }
}

function lineOf({ name, fields, lost, again, trouble }: Outcome): string {
  const what = trouble || (lost.length > 0 ? `LOST ${lost.join(', ')}` : `${fields} kept, then ${again}`)
  return `  ${name.padEnd(34)} ${what}`
}
