/** Bytes of a file; `end` counts in. */
export type Range = { start: number; end: number }

/** The whole file without a header, or with one of several ranges; null when it asks for nothing of the file. */
export function rangeOf(header: string | null | undefined, size: number): Range | null {
  const whole = { start: 0, end: size - 1 }
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!asked || (asked[1] === '' && asked[2] === '')) return whole
  if (asked[1] === '') {
    const last = Number(asked[2])
    return last > 0 ? { start: Math.max(0, size - last), end: size - 1 } : null
  }
  const start = Number(asked[1])
  const end = asked[2] === '' ? size - 1 : Math.min(Number(asked[2]), size - 1)
  return start < size && start <= end ? { start, end } : null
}
