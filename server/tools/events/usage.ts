import { dirname, join, resolve } from 'node:path'
import type { EventDefinition } from '../../../domain/shared/event.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { RIGHTS_EVENTS } from '../../../realtime/rights.ts'
import { decidersIn, eventTypesIn, exportsOf, type Source, sourcesIn, stringsIn } from './sources.ts'

/** Who has to do with an event. */
export type Usage = {
  /** Whose stream it stands on, and whose `evolve` meets it. */
  readonly deciders: readonly string[]
  /** Files of the domain that make it. */
  readonly written: readonly string[]
  readonly projections: readonly string[]
  readonly reactors: readonly string[]
  readonly pushes: readonly string[]
  /** Other files that name it. */
  readonly mentioned: readonly string[]
}

const ROOT = resolve(import.meta.dirname, '../../..')
const ELSEWHERE = ['eventstore', 'services', 'projections', 'usecases', 'reactors', 'realtime', 'app', 'server']

/**
 * Read models, reactors and pushes are asked themselves; which decider owns a stream is a matter of types, so that its
 * declaration is read, and so is whatever else names an event.
 */
export async function readUsage(): Promise<(type: string) => Usage> {
  const domain = sourcesIn('domain')
  const deciders = await readDeciders(domain)
  const reactors = (await exportsOf('reactors')).filter(isReactor)
  const pushers = (await exportsOf('realtime/pushes')).filter(isPusher)
  const own = new Set([...reactors, ...pushers].map(({ path }) => path))
  const others = ELSEWHERE.flatMap(sourcesIn).filter(({ path }) => !own.has(path))
  const [written, mentioned] = [indexOf(domain), indexOf(others)]
  return (type) => ({
    deciders: deciders.filter(({ types }) => types.has(type)).map(({ name }) => name),
    written: written.get(type) ?? [],
    projections: allProjections.filter(({ when }) => type in when).map(({ name }) => name),
    reactors: reactors.filter(({ value }) => value.on.includes(type)).map(({ value }) => value.name),
    pushes: [
      ...pushers.filter(({ value }) => value.on === type).map(({ path }) => path),
      ...((RIGHTS_EVENTS as readonly string[]).includes(type) ? ['realtime/rights.ts'] : []),
    ],
    mentioned: (mentioned.get(type) ?? []).filter((path) => path !== 'realtime/rights.ts'),
  })
}

type Owned = { readonly name: string; readonly types: ReadonlySet<string> }

async function readDeciders(domain: readonly Source[]): Promise<Owned[]> {
  const lists = new Map<string, ReadonlySet<string>>()
  for (const source of domain) {
    for (const { name, list } of eventTypesIn(source)) {
      const exported = (await import(join(ROOT, source.path))) as Record<string, readonly EventDefinition[]>
      lists.set(`${dirname(source.path)} ${name}`, new Set(exported[list]?.map(({ type }) => type)))
    }
  }
  return domain.flatMap((source) =>
    decidersIn(source).map(({ name, events }) => ({
      name,
      types: lists.get(`${dirname(source.path)} ${events}`) ?? new Set<string>(),
    })),
  )
}

function indexOf(sources: readonly Source[]): Map<string, string[]> {
  const index = new Map<string, string[]>()
  for (const source of sources) {
    if (source.path.endsWith('/events.ts')) continue
    for (const word of stringsIn(source)) index.set(word, [...(index.get(word) ?? []), source.path])
  }
  return index
}

type Exported<T> = { path: string; value: T }
type Reactor = { name: string; on: readonly string[] }
type Pusher = { on: string }

const isReactor = (one: Exported<unknown>): one is Exported<Reactor> =>
  has(one.value, 'react') && Array.isArray((one.value as { on?: unknown }).on)
const isPusher = (one: Exported<unknown>): one is Exported<Pusher> => has(one.value, 'push') && has(one.value, 'on')
const has = (value: unknown, name: string) => typeof value === 'object' && value !== null && name in value
