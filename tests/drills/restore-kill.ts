import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readManifest, verifyFiles } from '../../server/tools/backup/manifest.ts'
import { connected } from '../../server/tools/backup/snapshot.ts'
import { erasingOf } from '../../server/tools/erasure/erasing.ts'
import { eraseAccount } from '../../usecases/identity/erase-account.ts'
import { emptyTarget, rowsOf, startOn, type Target } from '../server/backup/rig.ts'
import { makeTempDir } from '../support/temp-folder.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { startBackupProcess } from './restore-child.ts'
import { PASSED } from './seams/hook.ts'

/** `moments`: at random ones. `seams`: before and after each statement and change of a file, evenly. */
type At = 'moments' | 'seams'

/**
 * `points`: different ones at which a process died. `cut`: how many of the kills found the process at work. `half`:
 * folders that passed for a backup and were none, and targets that passed for restored. `differing`: rows of read
 * models that are not what they were. `back`: erased members whom a restore brought back.
 */
export type RestoreKillResult = {
  kills: number
  points: number
  cut: number
  half: number
  differing: number
  back: number
  createSeconds: number
  restoreSeconds: number
}

/** Kills backups and restores again and again, and compares what comes back with what there was. */
export async function restoreKillDrill({
  kills,
  members,
  at = 'moments',
}: {
  kills: number
  members: number
  at?: At
}): Promise<RestoreKillResult> {
  const world = await startWorld({ web: false })
  const folder = makeTempDir('letsbuzz-backups-')
  try {
    return await killBoth(world, folder, { kills, members, at })
  } finally {
    await world.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Plan = { kills: number; members: number; at: At }

async function killBoth(world: World, folder: string, { kills, members, at }: Plan): Promise<RestoreKillResult> {
  const people = await populate(world, members)
  const [gone] = people
  const before = await killCreates(world, folder, { kills: Math.floor(kills / 2), at })
  const parts = { ...world.product, now: () => new Date() }
  await eraseAccount(erasingOf(parts, 'admin:drill'), gone!.id)
  await world.settled()
  const ledger = world.services.erasure.ledger
  const target = await emptyTarget(world)
  try {
    await target.ledger.add([...(await ledger.read())])
    const after = await killRestores(world, target, join(folder, 'whole'), { kills: Math.ceil(kills / 2), at })
    const restored = await startOn(target, world)
    const rows = await rowsOf(restored.product.core.storage.pool)
    const wanted = await rowsOf(world.core.storage.pool)
    // Erased a second time, at another moment: only their history shows it.
    const others = (all: readonly string[]) =>
      all.filter((row) => !(row.startsWith('history') && row.includes(gone!.id)))
    const back = (await restored.product.services.credentials.findByMember(gone!.id)) ? 1 : 0
    await restored.stop()
    return {
      kills,
      points: before.points.size + after.points.size,
      cut: before.cut + after.cut,
      half: before.half + after.half,
      back,
      differing: differences(others(rows), others(wanted)),
      createSeconds: before.seconds,
      restoreSeconds: after.seconds,
    }
  } finally {
    await target.drop()
  }
}

async function populate(world: World, members: number): Promise<Person[]> {
  const people: Person[] = []
  for (let number = 0; number < members; number++) people.push(await world.join(`Member ${number}`))
  for (let at = 0; at + 1 < people.length; at += 2) {
    await world.match(people[at]!, people[at + 1]!)
    await world.settled()
    await world.sendMessage(people[at]!, people[at + 1]!, `Hello from ${at}`)
    await world.sendMessage(people[at + 1]!, people[at]!, `Hello to ${at}`)
  }
  await world.settled()
  return people
}

type Killed = { cut: number; half: number; seconds: number; points: Set<string> }
type Kills = Pick<Plan, 'kills' | 'at'>

/** What is killed leaves no folder by that name, or a whole one. The last one is let through. */
async function killCreates(world: World, folder: string, { kills, at }: Kills): Promise<Killed> {
  const { stores, logDatabase, dataDir, secrets } = world
  const given = { app: stores.database, log: logDatabase, dataDir, masterKey: secrets.masterKey.toString('hex') }
  const whole = await through({ task: 'create', folder: join(folder, 'whole'), ...given })
  const points = new Set<string>()
  let [cut, half] = [0, 0]
  for (let kill = 0; kill < kills; kill++) {
    const name = join(folder, 'killed')
    const point = await killed({ task: 'create', folder: name, ...given }, whole, at, kill / kills)
    if (point !== null) cut++
    if (point) points.add(point)
    if (existsSync(name) && !(await isWhole(name, secrets.masterKey))) half++
    await rm(name, { recursive: true, force: true })
  }
  return { cut, half, points, seconds: whole.seconds }
}

/** A restore that was killed shows it by its mark, or what is there is whole; the next one goes through. */
async function killRestores(world: World, target: Target, folder: string, { kills, at }: Kills): Promise<Killed> {
  const { app, log, dataDir } = target
  const masterKey = world.secrets.masterKey.toString('hex')
  const given = { task: 'restore' as const, folder, app, log, dataDir, masterKey }
  const whole = await through(given)
  const points = new Set<string>()
  const { tables } = await readManifest(folder, world.secrets.masterKey)
  const wanted = ['credential', 'event'].map((name) => tables.find((table) => table.name === name)!.rows).join()
  let [cut, half] = [0, 0]
  for (let kill = 0; kill < kills; kill++) {
    const point = await killed(given, whole, at, kill / kills)
    if (point !== null) cut++
    if (point) points.add(point)
    if (!existsSync(join(dataDir, 'restoring')) && (await countsOf(target)) !== wanted) half++
  }
  return { cut, half, points, seconds: Math.max(whole.seconds, (await through(given)).seconds) }
}

async function countsOf({ app, log }: Target): Promise<string> {
  const count = (database: Target['app'], table: string) =>
    connected(database, async (client) => {
      const { rows } = await client.query<{ rows: number }>(`select count(*)::integer as rows from ${table}`)
      return rows[0]!.rows
    })
  return [await count(app, 'app.credential'), await count(log, 'log.event')].join()
}

async function isWhole(folder: string, masterKey: Buffer): Promise<boolean> {
  return readManifest(folder, masterKey).then(
    (manifest) => verifyFiles(folder, manifest, () => undefined).then(() => true),
    () => false,
  )
}

type Given = Parameters<typeof startBackupProcess>[0]
type Through = { seconds: number; points: number }

const EVERYWHERE = '^(before|after) '

/** Where it died: '' at some moment, null when it came to its end. `share`: how far, from 0 to 1. */
async function killed(given: Given, whole: Through, at: At, share: number): Promise<string | null> {
  if (at === 'seams') {
    const child = await startBackupProcess(given, { at: EVERYWHERE, nth: 1 + Math.floor(share * whole.points) })
    return (await child.ended) === null ? (/died at the seam: (.*)/.exec(child.output())?.[1] ?? '') : null
  }
  const child = await startBackupProcess(given)
  await Promise.race([pause(Math.random() * whole.seconds * 1_000), child.ended])
  child.kill()
  return (await child.ended) === null ? '' : null
}

/** Seconds from its begin to its end, and how many points it passed. */
async function through(given: Given): Promise<Through> {
  const child = await startBackupProcess(given, { at: EVERYWHERE, nth: Number.MAX_SAFE_INTEGER })
  const startedAt = performance.now()
  if ((await child.ended) !== 0) throw new Error(`It did not go through: ${child.output()}`)
  const seconds = Math.round((performance.now() - startedAt) / 10) / 100
  return { seconds, points: Number(child.output().split(PASSED).at(-1)) }
}

function differences(found: readonly string[], wanted: readonly string[]): number {
  const [a, b] = [new Set(found), new Set(wanted)]
  return found.filter((row) => !b.has(row)).length + wanted.filter((row) => !a.has(row)).length
}
