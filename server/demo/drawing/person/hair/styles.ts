import type { StyleName } from '../look.ts'
import { afro, boxBraids, cloud, dreads, perm, puff, shortAfro } from './coily.ts'
import { headscarf } from './covered.ts'
import { bob, bun, fringe, plaits, ponytail, straight, wavy } from './long.ts'
import { bald, crop, curls, pixie, quiff, receding, sidePart, topknot, waves } from './short.ts'
import type { Hair } from './strands.ts'

/** How each is drawn. */
export const HAIR: Record<StyleName, Hair> = {
  afro,
  bald,
  bob,
  boxBraids,
  bun,
  cloud,
  crop,
  curls,
  dreads,
  fringe,
  headscarf,
  perm,
  pixie,
  plaits,
  ponytail,
  puff,
  quiff,
  receding,
  shortAfro,
  sidePart,
  straight,
  topknot,
  waves,
  wavy,
}
