import { type ClockFigures, clockDrill } from './clock.ts'
import { type FaultFigures, faultDrill } from './faults.ts'

export type AllFaults = { faults: FaultFigures[]; clock: ClockFigures; broken: string[] }

const RECOVERS_MS = 10_000

/** Each fault in full length, one after the other, to one running product. */
export async function allFaults(say: (text: string) => void): Promise<AllFaults> {
  const faults = await faultDrill(
    [
      ['postgres frozen', 10],
      ['postgres dead', 10],
      ['projectors held', 60],
      ['disk full', 10],
      ['log frozen', 30],
    ],
    say,
  )
  const clock = await clockDrill({ messages: 10 })
  const broken = faults.filter(
    ({ lost, doubled, wrong, dishonest, recoveredMs }) =>
      lost + doubled + wrong + dishonest > 0 || recoveredMs > RECOVERS_MS,
  )
  const { refused, lost, doubled, outOfOrder } = clock
  const slipped = refused.length + lost + doubled + outOfOrder > 0
  return { faults, clock, broken: [...broken.map(({ fault }) => fault), ...(slipped ? ['clock'] : [])] }
}
