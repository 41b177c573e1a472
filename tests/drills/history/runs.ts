import { type HistoryResult, historyCheck } from './run.ts'

export type HistoryRuns = Omit<HistoryResult, 'answers' | 'seconds'> & { runs: number; perSecond: number }

/** Many histories, each of a product of its own; the first is not killed, the others up to three times. */
export async function historyRuns({
  runs,
  operations,
  print,
}: {
  runs: number
  operations: number
  print: (text: string) => void
}): Promise<HistoryRuns> {
  const results: HistoryResult[] = []
  for (let run = 0; run < runs; run++) {
    const result = await historyCheck({ operations, kills: run === 0 ? 0 : 1 + (run % 3) })
    results.push(result)
    const { kills, anomalies, wrong, answers, seconds } = result
    const found = `${anomalies.length} anomalies, ${wrong.length} wrong rows`
    print(`run ${run + 1} of ${runs}: ${kills} kills, ${found}, ${seconds} s, answers ${JSON.stringify(answers)}`)
    for (const line of [...anomalies, ...wrong]) print(`  ${line}`)
  }
  const sum = (of: (result: HistoryResult) => number) => results.reduce((total, result) => total + of(result), 0)
  return {
    runs,
    operations: sum((result) => result.operations),
    kills: sum((result) => result.kills),
    ok: sum((result) => result.ok),
    fail: sum((result) => result.fail),
    info: sum((result) => result.info),
    looks: sum((result) => result.looks),
    events: sum((result) => result.events),
    perSecond: Math.round(sum((result) => result.operations) / sum((result) => result.seconds)),
    anomalies: results.flatMap(({ anomalies }) => anomalies),
    wrong: results.flatMap(({ wrong }) => wrong),
  }
}
