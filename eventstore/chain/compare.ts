import type { ListedEvent } from './listing.ts'
import type { Problem } from './problems.ts'

/** What differs between a segment as it was sealed and as it is: the events gone, and everything else that is wrong. */
export function compare(
  sealed: readonly ListedEvent[],
  found: readonly ListedEvent[],
): { gone: readonly ListedEvent[]; problems: Problem[] } {
  const now = new Map(found.map((one) => [one.position, one]))
  const then = new Map(sealed.map((one) => [one.position, one]))
  const sealedAt = new Map(sealed.map((one) => [nameOf(one), one.position]))
  const gone = sealed.filter(({ position }) => !now.has(position))
  const problems = found.flatMap((one): Problem[] => {
    const was = then.get(one.position)
    const { position, stream, revision } = one
    if (was?.digest.equals(one.digest)) return []
    const from = sealedAt.get(nameOf(one))
    if (from !== undefined && from !== position) return [{ kind: 'moved', position, stream, revision, from }]
    if (!was) return [{ kind: 'added', position, stream, revision }]
    const at = { position, stream: was.stream, revision: was.revision }
    return [{ kind: 'changed', ...at, ...(nameOf(was) !== nameOf(one) && { now: one }) }]
  })
  // What only stands elsewhere is not gone.
  const moved = new Set(problems.flatMap((problem) => (problem.kind === 'moved' ? [problem.from] : [])))
  return { gone: gone.filter(({ position }) => !moved.has(position)), problems }
}

const nameOf = ({ stream, revision }: ListedEvent) => `${revision}@${stream}`
