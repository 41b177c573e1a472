import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { descendantsOf, freePort, startProgram } from '../drills/program-child.ts'
import { type Bare, startBarePage } from './bare.ts'
import type { Extent, Report } from './extent.ts'
import { type Figure, median, ms, ratio } from './figures.ts'
import { withDataDir } from './running.ts'

/** From the command to the first ready page, with the pages built, and what it then holds in memory. */
export async function benchStart({ rounds, restSeconds }: Extent, report: Report): Promise<void> {
  const bare = await startBarePage('<!doctype html>')
  try {
    await withDataDir(async (dataDir) => {
      const setup = { dataDir, port: await freePort() }
      const first = await startProgram(setup)
      await first.stop()
      const again: number[] = []
      for (let round = 1; round < rounds; round++) {
        const program = await startProgram(setup)
        again.push(program.readyMs)
        await program.stop()
      }
      const last = await startProgram(setup)
      try {
        report(startOf(first.readyMs, [...again, last.readyMs], bare))
        // Nobody has asked for anything since: what it took to start is given back by then.
        await pause(restSeconds * 1_000)
        report(memoryOf(last.pid, bare))
      } finally {
        await last.stop()
      }
    })
  } finally {
    bare.stop()
  }
}

/** The first start makes its databases. */
const startOf = (first: number, again: readonly number[], bare: Bare): Figure => ({
  what: 'from start to ready, pages built',
  value: `first ${ms(first)}, again ${ms(median(again))}`,
  against: `bare Node server ${ms(bare.readyMs)}`,
  ratio: ratio(median(again), bare.readyMs),
})

/** Resident memory of the web process, of the others that run our code, and of Postgres' own. */
function memoryOf(pid: number, bare: Bare): Figure {
  const all = descendantsOf(pid).map((one) => ({ name: commandOf(one), kb: memoryKb(one) }))
  const sum = (some: typeof all) => some.reduce((total, { kb }) => total + kb, 0)
  const mb = (kb: number) => `${Math.round(kb / 1024)} MB`
  const postgres = all.filter(({ name }) => name.includes('postgres'))
  const others = all.filter(({ name }) => !name.includes('postgres'))
  const [web, total, least] = [memoryKb(pid), memoryKb(pid) + sum(all), memoryKb(bare.pid)]
  return {
    what: 'memory at rest, started again',
    value: `${mb(total)}: web ${mb(web)}, log and guard ${mb(sum(others))}, Postgres ${mb(sum(postgres))}`,
    against: `bare Node server ${mb(least)}`,
    ratio: ratio(total, least),
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

/** Shared pages count once, divided among those who share them. */
function memoryKb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
