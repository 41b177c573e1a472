import type { Chance } from '../random.ts'
import { bookshelf, cafe, leaves, room } from './scenes/indoors.ts'
import { autumn, beach, lake, park } from './scenes/nature.ts'
import { bricks, dusk, lanterns } from './scenes/town.ts'
import { COLOURS, circle, lighter, mix, shape, wash } from './svg.ts'

const STUDIO = [
  COLOURS.honey,
  COLOURS.petal,
  COLOURS.leaf,
  COLOURS.lilac,
  COLOURS.clay,
  COLOURS.teal,
  COLOURS.sky,
  COLOURS.sage,
]

/** A plain wall with a sun, or the product's hexagon, behind the head. */
function studio(chance: Chance): string {
  const [wall, disc] = chance.some(STUDIO, 2) as [string, string]
  const pale = lighter(wall, 0.55)
  const behind = chance.chance(0.5)
    ? circle(540, 520, 440, mix(pale, disc, 0.5))
    : shape(hexagon(540, 540, 480), mix(pale, disc, 0.45))
  return wash('wall', [lighter(wall, 0.72), lighter(wall, 0.36)]) + behind
}

function hexagon(x: number, y: number, r: number): string {
  const corners = [0, 1, 2, 3, 4, 5].map((i) => {
    const angle = (Math.PI / 3) * i - Math.PI / 2
    return `${Math.round(x + r * Math.cos(angle))},${Math.round(y + r * Math.sin(angle))}`
  })
  return `M${corners.join('L')}Z`
}

/** What is behind a portrait. */
export const GROUNDS = [
  studio,
  studio,
  park,
  beach,
  dusk,
  autumn,
  bookshelf,
  cafe,
  room,
  leaves,
  bricks,
  lanterns,
  lake,
] as const
