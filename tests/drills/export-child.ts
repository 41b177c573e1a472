import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../../server/config.ts'
import { createProduct } from '../../server/product.ts'
import { createLogger } from '../../services/log.ts'
import { bundled } from '../support/programs/bundled.ts'
import type { World } from '../support/world.ts'

/** Where the child works, as JSON in its environment; `aheadMs`: how far its clock is before ours. */
type Given = {
  readonly stores: Omit<World['stores'], 'secrets'>
  readonly secrets: Omit<World['secrets'], 'masterKey'> & { readonly masterKey: string }
  readonly dataDir: string
  readonly publicUrl: string
  readonly aheadMs: number
}
export type ExportProcess = { kill(): Promise<void> }

const ME = fileURLToPath(import.meta.url)

/** A process that prepares the exports of a world, to be killed without warning. */
export function startExportProcess(world: World, aheadMs: number): ExportProcess {
  const { secrets, stores, dataDir, publicUrl } = world
  const { secrets: _secrets, ...positions } = stores
  const given: Given = {
    stores: positions,
    dataDir,
    publicUrl,
    aheadMs,
    secrets: { ...secrets, masterKey: secrets.masterKey.toString('hex') },
  }
  const child: ChildProcess = spawn(process.execPath, [bundled(ME)], {
    env: { ...process.env, EXPORT_CHILD: JSON.stringify(given) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function work({ stores, secrets, dataDir, publicUrl, aheadMs }: Given): Promise<void> {
  const product = await createProduct({
    stores: { ...stores, secrets: { ...secrets, masterKey: Buffer.from(secrets.masterKey, 'hex') } },
    config: { ...loadConfig({}), dataDir, roles: new Set(['reactors']) },
    publicUrl,
    now: () => new Date(Date.now() + aheadMs),
    logger: createLogger({ level: 'silent' }),
  })
  await product.start()
}

if (process.argv[1] === ME) await work(JSON.parse(process.env.EXPORT_CHILD ?? '') as Given)
