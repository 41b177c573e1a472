import { copyFileSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { counted } from '../../../domain/shared/counted.ts'
import { createErasedLedger } from '../../../services/erased-ledger.ts'
import { type Config, loadConfig } from '../../config.ts'
import { findRunning, openDataDir } from '../../data-dir.ts'
import { findSecrets, masterKeysIn, openSecrets, type Secrets } from '../../secrets.ts'
import { listRoles } from '../admin/roles.ts'
import { createBackup } from '../backup/create.ts'
import { type Manifest, readManifest, SECRETS, verifyFiles } from '../backup/manifest.ts'
import { restoreBackup } from '../backup/restore.ts'
import { connected } from '../backup/snapshot.ts'
import { requireProduct, withParts } from './support/attach.ts'
import { runCommand, UsageError } from './support/command.ts'
import { type ProgressLine, progressBar } from './support/progress.ts'
import { withProduct } from './support/with-product.ts'

const HELP = `
Usage: npm run backup -- <command> <folder>

The log, rows, keys and media of a product in one folder. Read models are not in it: they are made from the log.

  create <folder>   makes a backup while the product runs. The folder must not exist
  verify <folder>   compares every file with its hash
  restore <folder>  puts the backup in the place of what is here, and fills the read models; the product must be stopped,
                    with every process of it, and a log of its own.
                    Whoever was erased after the backup was made is erased again before anything is served
  --with-secrets    create puts DATA_DIR/secrets.json into the folder: whoever has it can read everything. Without it keep
                    that file, or MASTER_KEY and its like, apart: a backup is of no use without them
  --no-mail         restore has no member mailed of it: for a rehearsal beside the product that members use
  --force           restore replaces a product that is here
  --help            this text

The ledger of destroyed keys is DATA_DIR/erased, and <DATA_DIR>.erased beside it. Keep that one when the folder goes, and
the backups side by side: each carries the ledger of its day, and a restore asks all of them.`

const MEGABYTE = 1024 * 1024
const print = (line: string) => void process.stdout.write(`${line}\n`)
const keysIn = (secrets: Secrets | null) => secrets && masterKeysIn(secrets)
const megabytes = (bytes: number) => Math.round((bytes / MEGABYTE) * 10) / 10
const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1)

/** Drawn from the first bytes on: what is refused before has none. */
function barOf(what: string) {
  let bar: ProgressLine | undefined
  return {
    at(done: number, total: number) {
      bar ??= progressBar({ what, total: 0, unit: 'MB' })
      bar.at(megabytes(done), megabytes(total))
    },
    end: () => bar?.end(),
  }
}

/** One bar after the other, each from where its step begins. */
function barsOf() {
  let current: { what: string; bar: ReturnType<typeof barOf> } | undefined
  return {
    at(what: string, done: number, total: number) {
      if (current?.what !== what) {
        current?.bar.end()
        current = { what, bar: barOf(what) }
      }
      current.bar.at(done, total)
    },
    end: () => current?.bar.end(),
  }
}

async function create(config: Config, folder: string, withSecrets: boolean): Promise<void> {
  const startedAt = performance.now()
  if (withSecrets && Object.values(config.givenSecrets).some((secret) => secret !== null))
    throw new UsageError('The keys are in the environment; keep them apart from the backup.')
  requireProduct(config)
  const { at, end } = barOf('Backup')
  await withParts({ need: ['postgres'], config }, async ({ postgres: { app, log } }) => {
    await refuseForeignLog(config, log)
    const masterKey = masterKeysIn(openSecrets(config))
    const ledger = createErasedLedger(config.dataDir)
    const source = { app, log, dataDir: config.dataDir, masterKey, ledger, now: () => new Date(), withSecrets, at }
    const { manifest, missing, cleared, stuck } = await createBackup(source, folder).finally(end)
    const events = manifest.tables.find(({ schema }) => schema === 'log')?.rows ?? 0
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
    print(
      `${folder}: ${counted(events, 'event')}, ${counted(manifest.files.length, 'file')}, ${megabytes(bytes)} MB in ${seconds(startedAt)} s.`,
    )
    for (const left of cleared) print(`${left} was left by a backup that was interrupted, and is removed.`)
    for (const left of stuck)
      print(
        `${left} was left by a backup that was interrupted, and this user may not remove it. It has rows of members in it.`,
      )
    if (missing > 0) print(`${counted(missing, 'picture was', 'pictures were')} removed meanwhile.`)
    if (!withSecrets) print('The secrets are not in it: keep them apart, nothing can be read without them.')
  })
}

/** Those of this machine; where it has none, those that the backup brings along. */
const secretsFor = (config: Config, folder: string) =>
  findSecrets(config) ?? findSecrets({ ...config, dataDir: folder })

/** Throws when the keys at hand do not open the backup; names the file in the way where those that it brings along do. */
async function openBackup(config: Config, folder: string): Promise<Manifest> {
  try {
    return await readManifest(folder, keysIn(secretsFor(config, folder)))
  } catch (error) {
    const own = join(config.dataDir, SECRETS)
    const isInWay = config.givenSecrets.masterKey === null && existsSync(own)
    const theirs = isInWay ? keysIn(findSecrets({ ...config, dataDir: folder })) : null
    if (!theirs || !(await readManifest(folder, theirs).catch(() => null))) throw error
    throw new Error(
      `${own} is of another product than the backup in ${folder}, which brings its own. Move it to where it is kept (what it seals cannot be read without it), and run this again.`,
    )
  }
}

async function verify(config: Config, folder: string): Promise<void> {
  const manifest = await openBackup(config, folder)
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  const { at, end } = barOf('Checking')
  await verifyFiles(folder, manifest, (done) => at(done, total)).finally(end)
  print(
    `${folder} is whole: made ${manifest.madeAt}, ${counted(manifest.files.length, 'file')}, ${megabytes(total)} MB.`,
  )
}

async function restore(
  config: Config,
  folder: string,
  { force, notify }: { force: boolean; notify: boolean },
): Promise<void> {
  const startedAt = performance.now()
  if (findRunning(config.dataDir)) throw new Error('The product is running here. Stop it first.')
  // Before anything is made where nothing is.
  await openBackup(config, folder)
  openDataDir(config.dataDir)
  takeSecrets(config, folder)
  const steps = barsOf()
  const { manifest, erased, lost, unasked } = await withParts(
    { need: ['postgres'], config },
    async ({ postgres: { app, log } }) => {
      await refuseForeignLog(config, log)
      const masterKey = masterKeysIn(openSecrets(config))
      const ledger = createErasedLedger(config.dataDir)
      const to = {
        app,
        log,
        dataDir: config.dataDir,
        masterKey,
        ledger,
        now: () => new Date(),
        notify,
        force,
        at: steps.at,
      }
      return await restoreBackup(to, folder).finally(steps.end)
    },
  )
  for (const name of unasked)
    process.stderr.write(
      `${name} was not asked who was erased: it was altered, or made under another MASTER_KEY. If it is of this product, set its key as MASTER_KEY_OLD and restore again.\n`,
    )
  print(`Filling the read models …`)
  // On the log that was restored, whatever server it has else: nobody serves it now. Its start erases again, and it has
  // caught up when it answers.
  const roles = await withProduct(listRoles, { ...config, eventstoreUrl: null, allowEmbedded: true })
  const events = manifest.tables.find(({ schema }) => schema === 'log')?.rows ?? 0
  print(`Restored the backup of ${manifest.madeAt}: ${counted(events, 'event')} in ${seconds(startedAt)} s.`)
  print(
    `Every session has ended${notify ? ', and every member is mailed that an old password may be valid again' : ''}.`,
  )
  if (lost > 0)
    print(`${counted(lost, 'picture is', 'pictures are')} gone: the backup has no file, or not every file, of them.`)
  if (erased > 0) print(`Keys that were destroyed since, and stayed so: ${erased}.`)
  print('Suspensions since the backup are undone, and roles are those of then. Who has one:')
  for (const line of roles) print(line)
}

/** A machine that was lost has no secrets; one that has its own keeps them. */
function takeSecrets({ dataDir, mode }: Config, folder: string): void {
  const [own, theirs] = [join(dataDir, SECRETS), join(folder, SECRETS)]
  if (mode === 'local' && !existsSync(own) && existsSync(theirs)) copyFileSync(theirs, own)
}

async function refuseForeignLog({ eventstoreUrl }: Config, log: Parameters<typeof connected>[0]): Promise<void> {
  if (eventstoreUrl === null) return
  const { rows } = await connected(log, (client) =>
    client.query<{ there: boolean }>(`select to_regclass('log.event') is not null as there`),
  )
  if (rows[0]?.there) return
  throw new Error('The log is at EVENTSTORE_URL, outside the embedded one: back it up with that server’s own tools.')
}

await runCommand({
  help: HELP,
  options: { 'with-secrets': { type: 'boolean' }, force: { type: 'boolean' }, 'no-mail': { type: 'boolean' } },
  takes: { create: ['with-secrets'], verify: [], restore: ['force', 'no-mail'] },
  words: { least: 2, most: 2 },
  async run({ values, words: [command, name = ''] }) {
    const config = loadConfig(process.env)
    const folder = resolve(name)
    if (command === 'create') await create(config, folder, values['with-secrets'] === true)
    else if (command === 'verify') await verify(config, folder)
    else if (command === 'restore')
      await restore(config, folder, { force: values.force === true, notify: values['no-mail'] !== true })
    else throw new UsageError(`There is no command "${command}".`)
    return undefined
  },
})
