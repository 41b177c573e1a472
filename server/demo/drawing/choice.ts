import type { INTERESTS } from '../../../domain/profile/choices.ts'
import type { Chance } from '../random.ts'
import { besides, cat, dog } from './scenes/animals.ts'
import { tent, train } from './scenes/away.ts'
import { bicycle, guitar, surfboard } from './scenes/belongings.ts'
import { cafe, leaves } from './scenes/indoors.ts'
import { autumn, beach, flakes, lake, mountains, park, snow } from './scenes/nature.ts'
import { coffee, mugInFront, supper } from './scenes/tables.ts'
import { bricks, dusk, lanterns, street } from './scenes/town.ts'

type Interest = (typeof INTERESTS)[number]
type Scene = (chance: Chance) => string
/** Where somebody is, and what is between them and whoever looks. */
type Outing = { readonly behind: Scene; readonly before?: Scene }

const ATE_OUT: Outing = { behind: cafe, before: mugInFront }
const WITH_DOG: Outing = { behind: park, before: besides }
const SNOWED: Outing = { behind: snow, before: flakes }
const AT = {
  autumn: { behind: autumn },
  beach: { behind: beach },
  bricks: { behind: bricks },
  dusk: { behind: dusk },
  lake: { behind: lake },
  lanterns: { behind: lanterns },
  leaves: { behind: leaves },
  mountains: { behind: mountains },
  park: { behind: park },
  street: { behind: street },
} as const satisfies Record<string, Outing>

/** Days out by what somebody likes, where that leads anywhere. */
const OUTINGS: Partial<Record<Interest, readonly Outing[]>> = {
  Beach: [AT.beach],
  Camping: [AT.lake, AT.mountains],
  Climbing: [AT.mountains],
  Coffee: [ATE_OUT],
  Concerts: [AT.lanterns],
  Cycling: [AT.park, AT.street],
  Dancing: [AT.lanterns],
  Festivals: [AT.lanterns],
  Foodie: [ATE_OUT, AT.street],
  Gardening: [AT.leaves],
  Hiking: [AT.mountains],
  History: [AT.street],
  Nature: [AT.lake, AT.mountains, AT.autumn],
  Pets: [WITH_DOG],
  Photography: [AT.dusk, AT.street],
  Running: [AT.park, AT.autumn],
  Skiing: [SNOWED],
  Surfing: [AT.beach],
  Swimming: [AT.lake, AT.beach],
  Theatre: [AT.dusk],
  Travel: [AT.street, AT.mountains, AT.beach],
  Wine: [AT.lanterns],
  Yoga: [AT.lake],
}
const ANY_OUTING: readonly Outing[] = [
  AT.mountains,
  AT.beach,
  AT.dusk,
  AT.street,
  AT.lake,
  AT.autumn,
  AT.bricks,
  ATE_OUT,
  WITH_DOG,
  SNOWED,
]

/** What somebody takes a picture of. */
const THINGS: Partial<Record<Interest, readonly Scene[]>> = {
  Astronomy: [tent],
  Baking: [coffee],
  Beach: [surfboard],
  Books: [coffee],
  Camping: [tent],
  Coffee: [coffee],
  Cooking: [supper],
  Cycling: [bicycle],
  Foodie: [supper],
  Guitar: [guitar],
  Hiking: [mountains],
  Music: [guitar],
  Nature: [lake, tent],
  Pets: [dog, cat],
  Photography: [dusk, train],
  Podcasts: [train],
  Singing: [guitar],
  Skiing: [snow],
  Surfing: [surfboard],
  Travel: [train, street],
  Wine: [supper],
  Writing: [coffee],
}
const ANY_THING: readonly Scene[] = [
  dog,
  cat,
  bicycle,
  guitar,
  coffee,
  tent,
  supper,
  train,
  mountains,
  beach,
  dusk,
  lake,
]

/** Mostly where they like to be, else anywhere. */
export function outingOf(chance: Chance, interests: readonly Interest[]): Outing {
  const own = interests.flatMap((interest) => OUTINGS[interest] ?? [])
  return chance.pick(own.length > 0 && chance.chance(0.75) ? own : ANY_OUTING)
}

/** Different ones, first what they like, and none that is in the picture of their day out. */
export function thingsOf(chance: Chance, interests: readonly Interest[], { behind }: Outing): Scene[] {
  const own = interests.flatMap((interest) => THINGS[interest] ?? [])
  const all = new Set([...chance.some(own, own.length), ...chance.some(ANY_THING, ANY_THING.length)])
  all.delete(behind)
  return [...all]
}
