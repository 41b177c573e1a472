import { ROOT } from '../../server/root.ts'
import { ensureProgram } from '../../server/tools/build/program.js'
import { runCommand, UsageError } from '../../server/tools/cli/support/command.ts'
import { holdFetch, takeComplaints } from '../support/described/hold.ts'
import { attackDrill } from './attack/attack.ts'
import { deckDrill } from './deck/deck.ts'
import { deployKillDrill } from './deploy/deploy-kill.ts'
import { allFaults } from './faults/all-faults.ts'
import { formDrill } from './forms/form-drill.ts'
import { removedGuards } from './guards/removed-guards.ts'
import { historyRuns } from './history/runs.ts'
import { loadDrill } from './load/load.ts'
import { logKillDrill } from './log-kill.ts'
import { piecesKillDrill } from './pieces/pieces-kill.ts'
import { programKillDrill } from './program-kill.ts'
import { startKillDrill } from './program-start-kill.ts'
import { projectorKillDrill } from './projector-kill.ts'
import { moveInsideCell, mutualBuzzes, registerAtOnce } from './races/races.ts'
import { realtimeKillDrill } from './realtime-kill.ts'
import { restoreKillDrill } from './restore-kill.ts'
import { engineSeams } from './seams/engine-seams.ts'
import { programSeams } from './seams/program-seams.ts'
import { SEED, whereabouts } from './whereabouts/whereabouts.ts'

/** Forty members with two hundred pages open between them. */
const CROWD = { members: 40, listeners: 5 }
/** As many pages, each of another member: fifty requests a second stay within what one may do. */
const TOWNSPEOPLE = { members: 200, listeners: 1 }

/** Of the main thread, for what a frame does while a card is dragged. */
const FRAME_MS = 8

/** Of answers that are not as `/openapi.json` has them, of which one is enough to fail a drill. */
const SHOWN_COMPLAINTS = 10

/** Members are without the program for no longer when it dies. Where its Postgres and log die with it they recover first. */
const RESTART_MS = 3_000

const print = (text: string) => void process.stdout.write(`${text}\n`)

type Options = { readonly workers: number }
type Drill = { what: string; run: (options: Options) => Promise<{ figures: object; passed: boolean }> }
/** `passes`: the figures show what the drill must show. */
const drill = <F extends object>(
  what: string,
  run: (options: Options) => Promise<F>,
  passes: (figures: F) => boolean,
): Drill => ({
  what,
  async run(options) {
    const figures = await run(options)
    return { figures, passed: passes(figures) }
  },
})

const DRILLS: Record<string, Drill> = {
  log: drill(
    'kills the log server under load: no acknowledged append is lost or doubled',
    () => logKillDrill({ kills: 50 }),
    ({ lost, doubled, gaps }) => lost + doubled + gaps === 0,
  ),
  projector: drill(
    'kills concurrent projectors under load: read models equal a fold of the log',
    () => projectorKillDrill({ kills: 50 }),
    ({ wrong, quarantined }) => wrong.length + quarantined === 0,
  ),
  realtime: drill(
    'kills realtime nodes while members write: nothing missed, doubled or out of order',
    () => realtimeKillDrill({ kills: 15 }),
    ({ missed, doubled, outOfOrder }) => missed + doubled + outOfOrder === 0,
  ),
  'realtime-without-resume': drill(
    'the same with clients that do not say where they were: must find what they miss',
    () => realtimeKillDrill({ kills: 15, resume: false }),
    ({ missed }) => missed > 0,
  ),
  program: drill(
    'kills the whole program under buzzes and messages: it is back within three seconds, with no acknowledged command lost or doubled',
    () => programKillDrill({ kills: 50, print }),
    ({ lost, doubled, wrong, restartMs: { parent, memory } }) =>
      lost + doubled + wrong.length === 0 && Math.max(parent.longest, memory.longest) <= RESTART_MS,
  ),
  'history-check': drill(
    'twenty workers do as they like while the product is killed: the answers they got fit what is there',
    () => historyRuns({ runs: 10, operations: 10_000, print }),
    ({ anomalies, wrong }) => anomalies.length + wrong.length === 0,
  ),
  start: drill(
    'kills starts of the program at random moments, also while the database is made: a later start gets ready',
    () => startKillDrill({ kills: 30, print }),
    ({ failed }) => failed.length === 0,
  ),
  restore: drill(
    'kills backups and restores: no half one passes for whole, and what comes back differs in no row',
    () => restoreKillDrill({ kills: 40, members: 60 }),
    ({ half, differing, back }) => half + differing + back === 0,
  ),
  'seams-engine': drill(
    'kills projectors between rows and commit, and rebuilds in each of their parts: rows equal a fold of the log each time',
    () => engineSeams({ projector: 36, rebuild: 7 }),
    ({ wrong }) => wrong.length === 0,
  ),
  'seams-program': drill(
    'kills the product between append and answer, in uploads, mails and erasures: nothing is lost, doubled or left behind',
    () => programSeams({ commands: 6, media: 2, mail: 2, erase: 10, reactor: 1 }),
    ({ lost, doubled, mailsMissing, wrong, left }) => lost + doubled + mailsMissing + wrong.length + left.length === 0,
  ),
  'seams-backup': drill(
    'kills backups and restores before and after each statement and file: no half one, and nothing differs',
    () => restoreKillDrill({ kills: 36, members: 12, at: 'seams' }),
    ({ half, differing, back }) => half + differing + back === 0,
  ),
  deploy: drill(
    'deploys releases under load, with poison in every stream, small caches and a paused read model, kills who feeds them, erases',
    () => deployKillDrill({ releases: 2, deaths: 2, handovers: 50, synced: true, print }),
    ({ wrong, missing, early, certificates, found }) =>
      wrong.length + missing.length + early + found.length === 0 && certificates === 1,
  ),
  'erase-pieces': drill(
    'kills who erases, and the whole program among the pieces of an erasure: it is certified behind the last of them',
    () => piecesKillDrill({ kills: 6 }),
    ({ early, certificates, wrong, left }) => early + wrong.length + left.length === 0 && certificates === 1,
  ),
  faults: drill(
    'stops Postgres, the log and the projectors, fills the disk, moves the clock: members hear it, nothing is lost',
    () => allFaults(print),
    ({ broken }) => broken.length === 0,
  ),
  attack: drill(
    'attacks the product in nineteen ways, alone and at once, with honest members beside: nobody waits, nothing dies',
    ({ workers }) =>
      attackDrill({ seconds: 20, togetherSeconds: 60, warmSeconds: 10, quietSeconds: 90, workers, print }),
    ({ broken }) => broken.length === 0,
  ),
  forms: drill(
    'types into every form, and stops, fails, throttles or signs out what it is sent to, with and without script: no text is lost, and all can be sent again',
    () => formDrill({ print }),
    ({ cases, kept, unsent, leaked, failures }) =>
      cases > 0 && kept === cases && unsent.length + leaked.length + failures.length === 0,
  ),
  load: drill(
    'raises the load of members up to 200 requests a second, and holds what it keeps up with for ten minutes',
    () =>
      loadDrill({ ...CROWD, rates: [25, 50, 75, 100, 125, 150, 175, 200], stepSeconds: 30, holdSeconds: 600, print }),
    ({ broken }) => broken.length === 0,
  ),
  soak: drill(
    'an hour of fifty requests a second of two hundred members, each with an open page, within all limits: nothing grows',
    () =>
      loadDrill({
        ...TOWNSPEOPLE,
        rates: [50],
        stepSeconds: 60,
        holdSeconds: 3_540,
        behindSeconds: 60,
        limited: true,
        print,
      }),
    ({ broken }) => broken.length === 0,
  ),
  'removed-guards': drill(
    'takes out what keeps the promises, one at a time, in a copy of the sources: a test turns red each time',
    () => removedGuards(),
    ({ unnoticed, broken }) => unnoticed.length + broken.length === 0,
  ),
  deck: drill(
    'a thousand random gestures and key presses on the deck at four sizes, and the work of frames at a quarter of the speed',
    () => deckDrill({ acts: 1_000, drags: 10, print }),
    ({ lost, doubled, p95Ms, forcedLayouts }) =>
      lost.length + doubled.length + forcedLayouts === 0 && p95Ms <= FRAME_MS,
  ),
  buzzes: drill(
    'a thousand mutual buzzes at once, each sent twice: a thousand matches',
    () => mutualBuzzes({ pairs: 1_000 }),
    ({ pairs, matches, matchRows, odd }) => matches === pairs && matchRows === 2 * pairs && odd.length === 0,
  ),
  register: drill(
    'fifty registrations with one proof at once: one member',
    () => registerAtOnce({ calls: 50 }),
    ({ calls, made, refused }) => made === 1 && refused === calls - 1,
  ),
  moves: drill(
    'five hundred positions inside one grid cell: the answers to others stay the same, byte for byte',
    () => moveInsideCell({ moves: 500 }),
    ({ moves, accepted, changed, noticed }) => accepted === moves && changed === 0 && noticed,
  ),
  whereabouts: drill(
    'looks for a thousand members, still and moving, by 1, 3 and 20 accounts (median / fifth percentile, in metres)',
    async () => whereabouts({ members: 1_000, days: 20, steps: 3_000, seed: SEED }),
    ({ tooNear }) => tooNear.length === 0,
  ),
}

const HELP = `
Usage: npm run drills -- [<name> …] [--help]
       npm run drills -- attack --workers <count>

Does to the product what must never hurt it, in full length, and prints what it found. Without a name, all of them.

${Object.entries(DRILLS)
  .map(([name, { what }]) => `  ${name.padEnd(24)} ${what}`)
  .join('\n')}`

async function runDrill(name: string, { what, run }: Drill, options: Options): Promise<boolean> {
  print(`\n${name}: ${what}`)
  const startedAt = performance.now()
  const { figures, passed: shows } = await run(options)
  const complaints = takeComplaints()
  const passed = shows && complaints.length === 0
  for (const [key, value] of Object.entries(figures)) print(`  ${key.padEnd(14)} ${shown(value)}`)
  for (const complaint of complaints.slice(0, SHOWN_COMPLAINTS)) print(`  ${complaint}`)
  print(`  ${passed ? 'passed' : 'FAILED'}, in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  return passed
}

const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

function workersIn(given: string | undefined, words: readonly string[]): number {
  if (given === undefined) return 1
  if (words.join() !== 'attack') throw new UsageError('--workers is for the drill "attack" alone.')
  if (!/^([1-9]|1[0-6])$/.test(given)) throw new UsageError('--workers takes a number from 1 to 16.')
  return Number(given)
}

await runCommand({
  help: HELP,
  options: { workers: { type: 'string' } },
  words: { least: 0, most: Object.keys(DRILLS).length },
  async run({ values, words }) {
    const unknown = words.find((word) => !(word in DRILLS))
    if (unknown) throw new UsageError(`There is no drill "${unknown}".`)
    const workers = workersIn(values.workers, words)
    const chosen = Object.entries(DRILLS).filter(([name]) => words.length === 0 || words.includes(name))
    await ensureProgram(ROOT)
    holdFetch()
    const failed: string[] = []
    for (const [name, one] of chosen) if (!(await runDrill(name, one, { workers }))) failed.push(name)
    print(failed.length === 0 ? '\nAll drills passed.' : `\nThese failed: ${failed.join(', ')}.`)
    // Postgres of an in-process world ends with this process.
    process.exit(failed.length === 0 ? 0 : 1)
  },
})
