import { readFile } from 'node:fs/promises'
import { sea, train } from './drawing/moving.ts'
import { fileOf, render, sit } from './drawing/pictures.ts'
import type { Persona } from './people.ts'
import type { Chance } from './random.ts'

/** What somebody puts into their gallery: chosen at once, made when it is asked for. */
export type Piece = {
  readonly kind: 'image' | 'video'
  /** Of an image the drawing itself. */
  file(): Promise<Buffer>
  /** A film's own picture. */
  still?(): Promise<Buffer>
}

const THINGS_SHARE = 0.25
const FILM_SHARE = 0.5

/** Of those at whom few look, in pixels: as wide as a card of most screens. */
const PLAIN_WIDTH = 720

/** A portrait, which is the avatar, a day out, perhaps `more` that they like, and larger pictures, and now and then a film. */
export function galleryOf(chance: Chance, { answers, age, heritage }: Persona, more = true): Piece[] {
  const { portrait, outing, thing } = sit(chance.between(1, 2 ** 31), { ...answers, age, heritage })
  const things = chance.chance(THINGS_SHARE) ? chance.between(1, 2) : 0
  const drawings = [portrait, outing, ...Array.from({ length: more ? things : 0 }, (_, i) => () => thing(i))]
  const films = FILMS.filter(({ of }) => answers.interests.some((interest) => of.has(interest)))
  return [
    ...drawings.map((draw) => ({ kind: 'image', file: () => fileOf(draw(), more ? undefined : PLAIN_WIDTH) }) as const),
    ...(films.length > 0 && chance.chance(FILM_SHARE) ? [chance.pick(films).piece] : []),
  ]
}

const film = (url: URL, first: () => string): Piece => {
  let still: Promise<Buffer> | undefined
  return {
    kind: 'video',
    file: () => readFile(url),
    still() {
      still ??= render(first(), PLAIN_WIDTH)
      return still
    },
  }
}

/** Recorded by tests/support/clips/record-demo-clips.ts; `of`: whose interests they go with. */
const FILMS: readonly { readonly piece: Piece; readonly of: ReadonlySet<string> }[] = [
  {
    piece: film(new URL('./clips/sea.webm', import.meta.url), () => sea(0)),
    of: new Set(['Beach', 'Surfing', 'Swimming', 'Nature']),
  },
  {
    piece: film(new URL('./clips/train.webm', import.meta.url), () => train(0)),
    of: new Set(['Travel', 'Photography', 'Podcasts']),
  },
]
