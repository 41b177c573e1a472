import { dirname } from 'node:path'
import { allProjections } from '../../../projections/all-projections.ts'
import { RIGHTS_EVENTS } from '../../../realtime/rights/changes.ts'
import { type Declared, declaredAs, eventTypesIn, type Source, sourcesIn, stringsIn, wordsOf } from './sources.ts'

/** Who has to do with an event. */
export type Usage = {
  /** Whose stream it is in, and whose `evolve` handles it. */
  readonly deciders: readonly string[]
  /** Files of the domain that make it. */
  readonly written: readonly string[]
  readonly projections: readonly string[]
  readonly reactors: readonly string[]
  readonly pushes: readonly string[]
  /** Other files that name it. */
  readonly mentioned: readonly string[]
}

const ELSEWHERE = ['eventstore', 'services', 'projections', 'usecases', 'reactors', 'realtime', 'app', 'server']

/** What of the product's sources has to do with which event: by the types that are declared there, and by its name. */
export function readUsage(): (type: string) => Usage {
  const domain = sourcesIn('domain')
  const deciders = decidersOf(domain)
  const reactors = declaredIn('reactors', 'Reactor', (reactor) => wordsOf('on', reactor))
  const pushers = declaredIn('realtime/pushes', 'Pusher', ({ types }) => quotedIn(types.join()))
  const own = new Set([...reactors, ...pushers].map(({ path }) => path))
  const others = ELSEWHERE.flatMap(sourcesIn).filter(({ path }) => !own.has(path))
  const [written, mentioned] = [indexOf(domain), indexOf(others)]
  return (type) => ({
    deciders: deciders.filter(({ events }) => events.has(type)).map(({ name }) => name),
    written: written.get(type) ?? [],
    projections: allProjections.filter(({ when }) => Object.hasOwn(when, type)).map(({ name }) => name),
    reactors: reactors.filter(({ on }) => on.includes(type)).map(({ name }) => name),
    pushes: [
      ...pushers.filter(({ on }) => on.includes(type)).map(({ path }) => path),
      ...((RIGHTS_EVENTS as readonly string[]).includes(type) ? ['realtime/rights/changes.ts'] : []),
    ],
    mentioned: (mentioned.get(type) ?? []).filter((path) => path !== 'realtime/rights/changes.ts'),
  })
}

type Owned = { readonly name: string; readonly events: ReadonlySet<string> }

/** Which decider owns a stream is a matter of types. */
function decidersOf(domain: readonly Source[]): Owned[] {
  const keyOf = ({ path }: Source, name: string) => `${dirname(path)} ${name}`
  const lists = new Map(
    domain.flatMap((source) => eventTypesIn(source).map(({ name, events }) => [keyOf(source, name), events] as const)),
  )
  return domain.flatMap((source) =>
    declaredAs('Decider', source).map(({ name, types }) => ({
      name,
      events: new Set(lists.get(keyOf(source, types[1] ?? ''))),
    })),
  )
}

type Handler = { readonly path: string; readonly name: string; readonly on: readonly string[] }

const quotedIn = (type: string) => [...type.matchAll(/'(\w+)'/g)].map(([, word]) => word as string)

function declaredIn(folder: string, typeName: string, on: (declared: Declared) => readonly string[]): Handler[] {
  return sourcesIn(folder).flatMap((source) =>
    declaredAs(typeName, source).map((declared) => ({
      path: source.path,
      name: wordsOf('name', declared)[0] ?? declared.name,
      on: on(declared),
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
