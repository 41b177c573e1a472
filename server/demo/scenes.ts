import type { Chance } from './random.ts'

/** The size of made pictures: a card's ratio, small enough to make hundreds at a first start. */
export const PICTURE = { width: 480, height: 600 } as const

const SKIES = [
  ['#ffe3b8', '#f7a98b', '#7a6aa8'],
  ['#dff1fb', '#a9d3ea', '#f4e2c6'],
  ['#2b2450', '#5a3f78', '#e59a7c'],
  ['#fef4e2', '#f2c6a4', '#b7d2c6'],
  ['#cfe8e4', '#8fbcc4', '#f0d9b5'],
  ['#191a3a', '#34356b', '#7c6fb3'],
] as const
const GROUNDS = [
  ['#5c7a5b', '#3f5f52', '#2b4644'],
  ['#c98f63', '#8f5c4f', '#593a45'],
  ['#6f8fa8', '#48678a', '#2f4468'],
  ['#d7b27a', '#a87f52', '#6d5140'],
  ['#4f6d7a', '#36505f', '#233645'],
] as const

/** What the drawings below are measured in. */
const [W, H] = [648, 810]

/** A made landscape as SVG: hills, sea, dunes or a town at some hour of the day. */
export function scene(chance: Chance): string {
  const [top, middle, low] = chance.pick(SKIES)
  const ground = chance.pick(GROUNDS)
  const place = chance.pick([hills, sea, town, dunes])
  const sunX = chance.between(120, W - 120)
  const sunY = chance.between(140, 380)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE.width}" height="${PICTURE.height}" viewBox="0 0 ${W} ${H}">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/>
    <stop offset=".55" stop-color="${middle}"/><stop offset="1" stop-color="${low}"/></linearGradient></defs>
    <rect width="${W}" height="${H}" fill="url(#sky)"/>
    <circle cx="${sunX}" cy="${sunY}" r="${chance.between(36, 90)}" fill="#fff6df" opacity=".85"/>
    ${place(chance, ground)}</svg>`
}

/** A wavy edge from left to right, closed at the bottom. */
function ridge(chance: Chance, y: number, swing: number, fill: string): string {
  const steps = 6
  const points = Array.from(
    { length: steps + 1 },
    (_, i) => [(W / steps) * i, y + chance.between(-swing, swing)] as const,
  )
  const curve = points.slice(1).map(([x, py], i) => {
    const [px] = points[i]!
    const half = (px + x) / 2
    return `C${half},${points[i]![1]} ${half},${py} ${x},${py}`
  })
  return `<path d="M0,${points[0]![1]} ${curve.join(' ')} L${W},${H} L0,${H} Z" fill="${fill}"/>`
}

function hills(chance: Chance, [far, mid, near]: readonly [string, string, string]): string {
  return ridge(chance, 430, 70, far) + ridge(chance, 540, 60, mid) + trees(chance, near) + ridge(chance, 680, 40, near)
}

function trees(chance: Chance, fill: string): string {
  return Array.from({ length: 14 }, () => {
    const [x, h] = [chance.between(-10, W), chance.between(60, 150)]
    return `<path d="M${x},${690} l${h * 0.22},${-h} l${h * 0.22},${h} Z" fill="${fill}" opacity=".9"/>`
  }).join('')
}

const WATERS = ['#5f93ad', '#4a7f9c', '#6ba3a8', '#3f5f8a'] as const

function sea(chance: Chance, [far, , near]: readonly [string, string, string]): string {
  const water = chance.pick(WATERS)
  const glints = Array.from({ length: 26 }, () => {
    const y = chance.between(470, 700)
    return `<rect x="${chance.between(0, W)}" y="${y}" width="${chance.between(20, 120)}" height="3" rx="1.5" fill="#fff" opacity=".35"/>`
  }).join('')
  const sail = chance.between(120, 500)
  const boat = `<path d="M${sail},456 l26,0 l-13,-58 Z M${sail - 16},458 h58 l-12,14 h-34 Z" fill="#fff" opacity=".9"/>`
  return `<rect y="450" width="${W}" height="${H}" fill="${water}"/>${glints}${boat}${ridge(chance, 730, 26, near)}${ridge(chance, 448, 8, far).replace(`L${W},${H} L0,${H}`, `L${W},452 L0,452`)}`
}

function dunes(chance: Chance, [far, mid, near]: readonly [string, string, string]): string {
  return ridge(chance, 480, 34, far) + ridge(chance, 570, 48, mid) + ridge(chance, 690, 54, near)
}

function town(chance: Chance, [far, mid, near]: readonly [string, string, string]): string {
  const row = (y: number, fill: string, low: number, high: number) =>
    Array.from({ length: 9 }, (_, i) => {
      const [w, h] = [chance.between(64, 96), chance.between(low, high)]
      return `<rect x="${i * 76 - 20}" y="${y - h}" width="${w}" height="${h + H}" rx="4" fill="${fill}"/>${windows(chance, i * 76 - 20, y - h, w)}`
    }).join('')
  return row(560, far, 60, 210) + row(660, mid, 40, 190) + ridge(chance, 740, 14, near)
}

function windows(chance: Chance, x: number, y: number, w: number): string {
  const lit = Array.from(
    { length: 10 },
    (_, i) => [x + 12 + (i % 3) * (w / 3.4), y + 16 + Math.floor(i / 3) * 34] as const,
  )
  return lit
    .filter(() => chance.chance(0.55))
    .map(([wx, wy]) => `<rect x="${wx}" y="${wy}" width="12" height="18" rx="2" fill="#ffe9b0" opacity=".8"/>`)
    .join('')
}
