import { cellAt, DISCOVER_CELL_M } from '../../../domain/shared/grid.ts'
import type { Chance } from '../../../server/demo/random.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { guessStay, type Life, live, nightOf, noonOf } from './home.ts'
import { minus, type Point, plus, spread, towards } from './plane.ts'
import type { Rule, Target } from './target.ts'
import { guessWalk, HOUR_S, walkStraight, whereOn } from './walk.ts'

/** Where someone was, and where they would be by the attacker's best guess, both on the member's own grid. */
export type Guess = { readonly truth: Point; readonly guess: Point }
export type Effort = { readonly days: number; readonly steps: number }
type Asked = { readonly target: Target; readonly rule: Rule; readonly chance: Chance; readonly effort: Effort }
/** Lets the member live, then has so many accounts guess, by what is guessed. */
export type Way = (asked: Asked) => (accounts: number) => Record<string, Guess>

export const WAYS: readonly Way[] = [
  anHoursWalk,
  atHome('at home, and never out', anywhere, 'never'),
  atHome('at home, out each day', anywhere, 'anywhere'),
  atHome('at home within 50 m of an edge', (asked) => near(asked, 'edge'), 'anywhere'),
  atHome('at home within 50 m of a corner', (asked) => near(asked, 'corner'), 'anywhere'),
  atHome('at home, a commuter', anywhere, 'to work'),
]

function anHoursWalk({ target, rule, chance, effort }: Asked) {
  const walk = walkStraight(target, chance)
  const seen = { ...walk, from: target.seen(walk.from) }
  return (accounts: number): Record<string, Guess> => {
    const sightings = createAccounts(target, accounts, chance).watch(HOUR_S)
    const seconds = [0, sightings[1]?.from ?? HOUR_S / 2, HOUR_S]
    const guesses = guessWalk(seen, sightings, seconds, { rule, chance, steps: effort.steps })
    const at = (n: number) => ({ truth: whereOn(seen, seconds[n]!), guess: guesses[n]! })
    return { 'a walk of an hour: start': at(0), 'a walk: as a change shows': at(1), 'a walk of an hour: end': at(2) }
  }
}

function anywhere({ chance }: Asked): Point {
  return { x: spread(chance, -700, 700), y: spread(chance, -700, 700) }
}

/** Where the member's own grid shows them so near an edge, or a corner, of a cell. */
function near({ target, chance }: Asked, what: 'edge' | 'corner'): Point {
  const { plane } = target
  const centre = plane.toPlane(cellAt(plane.toEarth({ x: 0, y: 0 }), DISCOVER_CELL_M))
  const along = what === 'corner' ? 500 + spread(chance, -50, 50) : spread(chance, -350, 350)
  const seen = plus(centre, { x: 500 + spread(chance, -50, 50), y: along })
  return minus(seen, minus(target.seen(seen), seen))
}

function atHome(what: string, homeOf: (asked: Asked) => Point, out: 'never' | 'anywhere' | 'to work'): Way {
  return (asked) => {
    const { target, rule, chance, effort } = asked
    const home = homeOf(asked)
    const office = plus(home, towards(spread(chance, 0, 2 * Math.PI), spread(chance, 3_000, 8_000)))
    const work = out === 'to work' ? office : out === 'never' ? home : null
    const life: Life = { home, work, noiseM: spread(chance, 10, 50), days: effort.days }
    live(target, life, chance)
    const days = Array.from({ length: effort.days }, (_, day) => day)
    const nights = days.flatMap((day) => [0, 2_100, 4_300].map((later) => nightOf(day) + later))
    const guesses = new Map<string, Point>()
    const guessed = (accounts: Accounts, at: Point, moments: readonly number[]): Guess => {
      const looks = moments.map((second) => accounts.look(second)).filter((cell) => cell !== null)
      const cells = [...new Map(looks.map((cell) => [JSON.stringify(cell), cell]))].sort()
      const key = cells.map(([name]) => name).join()
      const guess =
        guesses.get(key) ??
        guessStay(
          cells.map(([, cell]) => cell),
          rule,
          life.noiseM,
        )
      guesses.set(key, guess)
      return { truth: target.seen(at), guess }
    }
    return (count) => {
      const accounts = createAccounts(target, count, chance)
      const asleep = guessed(accounts, home, nights)
      if (out !== 'to work') return { [what]: asleep }
      return { [`${what}: home`]: asleep, [`${what}: work`]: guessed(accounts, office, days.map(noonOf)) }
    }
  }
}
