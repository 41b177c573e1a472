import { type Rate, slowDown } from './act.ts'
import type { Outcome, Refused } from './outcome.ts'
import type { Acting } from './ports.ts'

/**
 * Takes what every part of a command takes before the first part is done, so that none is refused after another one was
 * done; what no part comes to take goes back. A refusal counts as one of the first class, as that of the first part would.
 */
export async function takingFirst<T, R extends string>(
  acting: Acting,
  rates: readonly Rate[],
  parts: (acting: Acting) => Promise<Outcome<T, R>>,
): Promise<Outcome<T, R> | Refused<'slow-down'>> {
  const taken: Rate[] = []
  for (const rate of rates) {
    const wait = await slowDown(acting, rate)
    if (!wait) {
      taken.push(rate)
      continue
    }
    // One that was refused beyond others of its class is counted like those.
    await giveBack(acting, (taken.includes(rate) ? [...taken, rate] : taken).slice(1))
    return wait
  }
  try {
    return await parts(havingTaken(acting, taken))
  } finally {
    await giveBack(acting, taken)
  }
}

/** Each part takes of `taken` before it takes of the limits. */
function havingTaken(acting: Acting, taken: Rate[]): Acting {
  const { limits, who } = acting
  const take: typeof limits.take = async (rate, key, points = 1) => {
    const at = key === who.member && points === 1 ? taken.indexOf(rate) : -1
    if (at < 0) return limits.take(rate, key, points)
    taken.splice(at, 1)
    return { ok: true }
  }
  return { ...acting, limits: { ...limits, take } }
}

async function giveBack({ limits, who }: Acting, rates: readonly Rate[]): Promise<void> {
  for (const rate of new Set(rates)) await limits.giveBack(rate, who.member, rates.filter((one) => one === rate).length)
}
