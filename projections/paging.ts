/** A page never holds more (api-contract §6.0). */
export const PAGE_MAX = 50

/** A whole number from 1 to PAGE_MAX. */
export function pageSize(asked: number = PAGE_MAX): number {
  return Number.isFinite(asked) ? Math.min(PAGE_MAX, Math.max(1, Math.trunc(asked))) : PAGE_MAX
}
