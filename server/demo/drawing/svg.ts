/** Of every made picture: as large as an uploaded one is kept, in the ratio of a card. */
export const PICTURE = { width: 1080, height: 1350 } as const

/** The product's colours, and those that go with them. */
export const COLOURS = {
  honey: '#f3b43c',
  petal: '#e8657f',
  leaf: '#58a97c',
  night: '#2f2748',
  violet: '#5d4b87',
  lilac: '#b9a6dd',
  clay: '#cf6f4a',
  teal: '#2f8a8f',
  sage: '#a3b899',
  navy: '#31426f',
  sky: '#a9cfe6',
  sand: '#ead3b0',
  cream: '#fbf1de',
  berry: '#8c3357',
  rust: '#a8492f',
  slate: '#6b7488',
} as const

const more = (attributes: string) => (attributes ? ` ${attributes}` : '')

export const shape = (d: string, fill: string, attributes = '') => `<path d="${d}" fill="${fill}"${more(attributes)}/>`

export const stroke = (d: string, colour: string, width: number, attributes = '') =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${more(attributes)}/>`

export const circle = (x: number, y: number, r: number, fill: string, attributes = '') =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${fill}"${more(attributes)}/>`

export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, attributes = '') =>
  `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(rx)}" ry="${round(ry)}" fill="${fill}"${more(attributes)}/>`

export const rect = (x: number, y: number, width: number, height: number, fill: string, attributes = '') =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${fill}"${more(attributes)}/>`

/** It and its mirror image on the other side of x = 0. */
export const both = (half: string) => `${half}<g transform="scale(-1 1)">${half}</g>`

export const at = (x: number, y: number, drawn: string, scale = 1) =>
  `<g transform="translate(${round(x)} ${round(y)}) scale(${round(scale)})">${drawn}</g>`

/** What is drawn, only where `d` is. `id` is unique within the picture. */
export const within = (id: string, d: string, drawn: string) =>
  `<clipPath id="${id}"><path d="${d}"/></clipPath><g clip-path="url(#${id})">${drawn}</g>`

type Area = { readonly y?: number; readonly height?: number }

/** A gradient from top to bottom across the whole width; stops at equal distances. Its grain keeps it from banding. */
export function wash(id: string, colours: readonly string[], { y = 0, height = PICTURE.height }: Area = {}): string {
  const stops = colours.map((colour, i) => `<stop offset="${i / (colours.length - 1)}" stop-color="${colour}"/>`)
  const gradient = `<linearGradient id="${id}" x2="0" y2="1">${stops.join('')}</linearGradient>`
  const fill = (source: string) => rect(0, y, PICTURE.width, height, `url(#${source})`)
  return gradient + fill(id) + fill(GRAIN)
}

/** The pattern that `wash` lays over a gradient. */
export const GRAIN = 'grain'

export const round = (value: number) => Math.round(value * 100) / 100

export const times = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

/** Between two colours, written #rrggbb: 0 is the first, 1 the second. */
export function mix(from: string, to: string, share: number): string {
  const part = (colour: string, i: number) => Number.parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16)
  const mixed = [0, 1, 2].map((i) => Math.round(part(from, i) + (part(to, i) - part(from, i)) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
export const darker = (colour: string, share = 0.2) => mix(colour, '#241326', share)
export const lighter = (colour: string, share = 0.2) => mix(colour, '#fff6e6', share)
