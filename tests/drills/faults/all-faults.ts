import { type ClockFigures, clockDrill } from './clock.ts'
import { type FaultFigures, faultDrill } from './faults.ts'

export type AllFaults = { faults: FaultFigures[]; clock: ClockFigures; broken: string[] }

const RECOVERS_MS = 10_000

/** Each fault in full length, one after the other, to one running product. */
export async function allFaults(print: (text: string) => void): Promise<AllFaults> {
  const faults = await faultDrill(
    [
      ['postgres frozen', 10],
      ['postgres dead', 10],
      ['projectors blocked', 60],
      ['disk full', 10],
      ['disk full, simulated', 10],
      ['log frozen', 30],
      ['clock an hour ahead', 10],
      ['clock an hour behind', 10],
    ],
    print,
  )
  const clock = await clockDrill({ messages: 10 })
  const { refused, lost, doubled, outOfOrder } = clock
  const slipped = refused.length + lost + doubled + outOfOrder > 0
  const broken = faults.flatMap((one) => whyBroken(one).map((why) => `${one.fault}: ${why}`))
  return { faults, clock, broken: [...broken, ...(slipped ? ['clock'] : [])] }
}

/** A full disk must have been met, and another hour must not be noticed. */
function whyBroken({ fault, lost, doubled, wrong, dishonest, refused, recoveredMs }: FaultFigures): string[] {
  const is: readonly (readonly [boolean, string])[] = [
    [lost + doubled + wrong > 0, `${lost} lost, ${doubled} doubled, ${wrong} wrong rows`],
    [dishonest > 0, `${dishonest} answers were not honest`],
    [recoveredMs > RECOVERS_MS, `well again only after ${recoveredMs} ms`],
    [fault.startsWith('disk full') && refused === 0, 'no write was refused'],
    [fault.startsWith('clock') && refused > 0, `${refused} writes were refused`],
  ]
  return is.flatMap(([so, why]) => (so ? [why] : []))
}
