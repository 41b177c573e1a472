/** So many kinds are shown on a post (spec 2 §9). */
const TOP = 3

/** The reactions that most chose, the most frequent first, and how many there are of all kinds. */
export function topOf<R extends { value: string }>(reactions: readonly R[], counts: Readonly<Record<string, number>>) {
  const of = ({ value }: R) => counts[value] ?? 0
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const top = reactions
    .filter((one) => of(one) > 0)
    .sort((one, other) => of(other) - of(one))
    .slice(0, TOP)
  return { total, top }
}
