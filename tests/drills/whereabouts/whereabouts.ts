import { createChance } from '../../../server/demo/random.ts'
import { knownMore } from './known-more.ts'
import { apart, minus, type Point, quantile } from './plane.ts'
import { AT_ONCE, createTarget, PRODUCT, type Rule } from './target.ts'
import { type Effort, type Guess, WAYS } from './ways.ts'

/** The bars of security §2.1, in metres. */
export const BARS = { p50: 300, p5: 110 } as const
export const SEED = 20_260_301
const ACCOUNTS = [1, 3, 20] as const

/** Metres that attackers are off: the median, and what five in a hundred are below. */
export type Figure = { readonly p50: number; readonly p5: number }
/** `offset`: where the member's grid lies is unknown, as it is; `bare`: if it were known, or there were none. */
export type Row = {
  readonly what: string
  readonly accounts: number
  readonly offset: Figure
  readonly bare: Figure
}
export type Search = Effort & { readonly members: number; readonly seed: number }

/** Has members live in every way that is known to betray a place, and accounts look for them. */
export function lookFor(rule: Rule, { members, seed, ...effort }: Search): Row[] {
  const errors = new Map<string, { what: string; accounts: number; offset: number[]; bare: number[] }>()
  const note = (what: string, accounts: number, { truth, guess }: Guess, shift: Point) => {
    const key = `${what} ${accounts}`
    const of = errors.get(key) ?? { what, accounts, offset: [], bare: [] }
    errors.set(key, of)
    of.bare.push(apart(truth, guess))
    // All offsets are as likely: the best guess of where someone is lies where their own grid shows them.
    of.offset.push(apart(minus(truth, shift), guess))
  }
  WAYS.forEach((way, index) => {
    for (let n = 0; n < members; n++) {
      const chance = createChance(seed + index * 1_000_003 + n * 101)
      const target = createTarget(rule, chance)
      const origin = { x: 0, y: 0 }
      const shift = minus(target.seen(origin), origin)
      const guess = way({ target, rule, chance, effort })
      for (const accounts of ACCOUNTS)
        for (const [what, one] of Object.entries(guess(accounts))) note(what, accounts, one, shift)
    }
  })
  return [...errors.values()].map(({ offset, bare, ...row }) => ({
    ...row,
    offset: figure(offset),
    bare: figure(bare),
  }))
}

/** What falls below the bars. */
export const tooNear = (rows: readonly Row[]): Row[] =>
  rows.filter(({ offset }) => offset.p50 < BARS.p50 || offset.p5 < BARS.p5)

/** The median and the fifth percentile of errors in metres. */
export const figure = (errors: readonly number[]): Figure => ({
  p50: Math.round(quantile(errors, 0.5)),
  p5: Math.round(quantile(errors, 0.05)),
})

/** The product's rule beside one that publishes at once, and what who knows more would find. */
export function whereabouts(search: Search) {
  const product = lookFor(PRODUCT, search)
  const atOnce = lookFor(AT_ONCE, search)
  const table = product.map(({ what, accounts, offset, bare }, n) => {
    const other = atOnce[n]!
    const columns = { neither: other.bare, late: bare, offset: other.offset, product: offset }
    return [
      `${what}, ${accounts} account${accounts > 1 ? 's' : ''}`,
      Object.entries(columns).map(([name, { p50, p5 }]) => `${name} ${p50} / ${p5}`),
    ]
  })
  const more = Object.entries(knownMore(search)).map(([what, errors]) => [what, figure(errors)])
  return {
    seed: search.seed,
    members: search.members,
    tooNear: tooNear(product),
    ...(Object.fromEntries(table) as Record<string, string[]>),
    ...(Object.fromEntries(more) as Record<string, Figure>),
  }
}
