/** The calls of one path, and the parameters that a request's path gives them. */
export type Matched<C> = { readonly calls: readonly C[]; readonly params: Readonly<Record<string, string>> }
type Path<C> = { readonly segments: readonly string[]; readonly calls: readonly C[] }

const isParameter = (segment: string) => segment.startsWith(':')
const split = (path: string) => path.split('/').filter(Boolean)

/** Groups calls by their path; a path with a word where another has a parameter comes first. */
export function createMatcher<C extends { readonly path: string }>(
  calls: readonly C[],
): (path: string) => Matched<C> | null {
  const grouped = new Map<string, C[]>()
  for (const call of calls) grouped.set(call.path, [...(grouped.get(call.path) ?? []), call])
  const paths: Path<C>[] = [...grouped].map(([path, group]) => ({ segments: split(path), calls: group }))
  paths.sort((a, b) => rank(a).localeCompare(rank(b)))
  return (path) => {
    const asked = decoded(split(path))
    const found = asked && paths.find(({ segments }) => fits(segments, asked))
    return found && asked ? { calls: found.calls, params: paramsOf(found.segments, asked) } : null
  }
}

const rank = ({ segments }: Pick<Path<unknown>, 'segments'>) =>
  segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('')

/** Words match in any case, as those of pages do. */
function fits(segments: readonly string[], asked: readonly string[]): boolean {
  if (segments.length !== asked.length) return false
  return segments.every((segment, at) => isParameter(segment) || segment.toLowerCase() === asked[at]?.toLowerCase())
}

function paramsOf(segments: readonly string[], asked: readonly string[]): Record<string, string> {
  const pairs = segments.map((segment, at) => [segment, asked[at] ?? ''] as const)
  return Object.fromEntries(
    pairs.filter(([segment]) => isParameter(segment)).map(([name, value]) => [name.slice(1), value]),
  )
}

/** null for what cannot be decoded: no call is there. */
function decoded(segments: readonly string[]): string[] | null {
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return null
  }
}
