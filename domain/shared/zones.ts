/** What the runtime calls a time zone, whichever of its names is given in whichever case; undefined for no zone. */
export function zoneOf(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** The name in its proper case. Another name stays as it is written: for Europe/Kyiv the runtime may know a former one. */
export function spelledZone(name: string): string {
  const zone = zoneOf(name)
  return zone?.toLowerCase() === name.toLowerCase() ? zone : name
}

/** Of two zones, by whichever of their names. */
export const isSameZone = (one: string, other: string): boolean => one === other || zoneOf(one) === zoneOf(other)
