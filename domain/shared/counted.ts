/** `1 session`, `1,200 sessions`: how many of something, as a sentence counts it. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
