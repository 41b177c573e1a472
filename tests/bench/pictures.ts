import pg from 'pg'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import type { Extent, Report } from './extent.ts'
import { median, ms } from './figures.ts'
import { addPicture } from './picture.ts'

const PICTURES = 20
/** Of a browser on a phone, as wide as its card. */
const ACCEPT = 'image/avif,image/webp,image/apng,image/*,*/*;q=0.8'
const WIDTH = 720
const WARM_UP = 3
const TURNS = 25

/** The pictures of a deck, as a browser asks for them: first with nothing in its cache, then with all of them. */
export async function benchPictures({ rounds }: Extent, report: Report): Promise<void> {
  // As `npm start` runs it.
  process.env.NODE_ENV = 'production'
  const world = await startWorld()
  try {
    const viewer = await world.member('Ann')
    const pictures = await picturesIn(world)
    while ((await world.services.media.deriveForms()) !== null);
    for (const [what, which] of Object.entries({ clear: pictures.clear, blurred: pictures.blurred })) {
      const first = await look(world, viewer, which, rounds)
      const again = await look(world, viewer, which, rounds, first.tags)
      for (const [how, { queries, bytes, time }] of Object.entries({ first, again }))
        report({
          what: `${PICTURES} ${what} pictures of a deck, ${how === 'first' ? 'first look' : 'second look'}`,
          value: `${queries} queries, ${(bytes / 1024).toFixed(0)} KB, ${ms(time)}`,
        })
    }
  } finally {
    await world.stop()
  }
}

async function picturesIn(world: World): Promise<{ clear: string[]; blurred: string[] }> {
  const [clear, blurred]: [string[], string[]] = [[], []]
  for (let at = 0; at < PICTURES; at++) {
    const member = await world.member(`Bea ${'abcdefghijklmnopqrst'[at]}`)
    await world.edit(member, { visibilityMode: 'full', fieldVisibility: { photos: 'public' } })
    const { url, id } = await addPicture(world, member, at)
    clear.push(url)
    blurred.push(`/media/${(await world.services.media.find(id))?.blurredId}`)
  }
  await world.settled()
  return { clear, blurred }
}

/** All of them at once, as a page asks for them; the medians of some turns. */
async function look(world: World, as: Person, paths: readonly string[], rounds: number, known?: readonly string[]) {
  const times: number[] = []
  let [queries, bytes, tags] = [0, 0, [] as string[]]
  for (let round = -WARM_UP; round < rounds * TURNS; round++) {
    const counted = countQueries()
    const startedAt = performance.now()
    const answers = await Promise.all(
      paths.map(async (path, at) => {
        const headers = { Accept: ACCEPT, ...(known && { 'If-None-Match': known[at]! }) }
        const answer = await world.page(`${path}?w=${WIDTH}`, { as, headers })
        if (answer.status !== (known ? 304 : 200)) throw new Error(`${path} answered ${answer.status}`)
        return { tag: answer.headers.get('ETag') ?? '', bytes: (await answer.arrayBuffer()).byteLength }
      }),
    )
    if (round >= 0) times.push(performance.now() - startedAt)
    queries = counted()
    bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0)
    tags = answers.map(({ tag }) => tag)
  }
  return { queries, bytes, tags, time: median(times) }
}

type Connection = { connectionParameters: { options?: string } }

/** Counts what requests ask of Postgres until it is called: connections of the engine and the log see no one schema. */
function countQueries(): () => number {
  const { query } = pg.Client.prototype
  let count = 0
  pg.Client.prototype.query = function counting(this: pg.Client & Connection, ...args: unknown[]) {
    if (this.connectionParameters.options?.includes('search_path')) count++
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof query
  return () => {
    pg.Client.prototype.query = query
    return count
  }
}
