const list = new Intl.ListFormat('en', { type: 'conjunction' })
const NAMED = 2

/** 'Ann, Bea and 5 others are nearby'. */
export function presenceWords(people: readonly { name: string }[], total: number, what: string): string {
  const names = people.slice(0, total > NAMED + 1 ? NAMED : total).map(({ name }) => name)
  const rest = total - names.length
  if (total === 0) return `Nobody is ${what}`
  const others = rest === 0 ? [] : [names.length === 0 ? String(rest) : rest === 1 ? '1 other' : `${rest} others`]
  return `${list.format([...names, ...others])} ${total === 1 ? 'is' : 'are'} ${what}`
}
