/** One line of the table. `against` is what the same machine does at the same time without the product. */
export type Figure = { what: string; value: string; against?: string; ratio?: string }

/** The value below which the given share of the sample lies; NaN of an empty one. */
export function percentile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
export const median = (sample: readonly number[]): number => percentile(sample, 0.5)

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`
export const ms = (time: number): string => `${time.toFixed(time < 10 ? 2 : 1)} ms`
export const spread = (times: readonly number[]): string =>
  `p50 ${ms(percentile(times, 0.5))}, p99 ${ms(percentile(times, 0.99))}`
export const ratio = (own: number, other: number): string => `${(own / other).toFixed(2)} ×`

/** Columns as wide as their widest entry. */
export function table(figures: readonly Figure[]): string {
  const rows = [
    ['measured', 'figure', 'against', 'ratio'],
    ...figures.map(({ what, value, against = '', ratio = '' }) => [what, value, against, ratio]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  return [lines[0], widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1)].join('\n')
}

/** Calls `work` over and over on so many lanes for so long; answers the time of each call, in milliseconds. */
export async function timed(lanes: number, forMs: number, work: (lane: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + forMs
  const lane = async (number: number) => {
    while (performance.now() < end) {
      const startedAt = performance.now()
      await work(number)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)))
  return times
}
