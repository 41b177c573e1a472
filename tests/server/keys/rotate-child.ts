import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { MasterKeys } from '../../../domain/shared/master-key.ts'
import { rotateMasterKey } from '../../../server/tools/keys/rotate.ts'
import { createFileStore } from '../../../services/media/store.ts'
import { bundled } from '../../support/programs/bundled.ts'

/** As JSON in the child's environment; keys in hex. It kills itself once this many batches are stored. */
type Given = {
  readonly database: pg.ClientConfig
  readonly keys: readonly string[]
  readonly media: string
  readonly batch: number
  readonly dieAfter: number
}

const ME = fileURLToPath(import.meta.url)

/** A rotation in a process of its own that is killed without warning between two batches; answers by what it ended. */
export async function rotateAndDie({ keys, ...given }: Omit<Given, 'keys'> & { keys: MasterKeys }): Promise<string> {
  const hex = keys.map((key) => Buffer.from(key).toString('hex'))
  const child = spawn(process.execPath, [bundled(ME)], {
    env: { ...process.env, ROTATE_CHILD: JSON.stringify({ ...given, keys: hex }) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return signal ?? `code ${code}`
}

async function work({ database, keys, media, batch, dieAfter }: Given): Promise<void> {
  const [first, ...others] = keys.map((key) => Buffer.from(key, 'hex'))
  let batches = 0
  await rotateMasterKey({
    pool: new pg.Pool(database),
    keys: [first!, ...others],
    store: createFileStore(media, { own: 'own', isLeft: () => false }),
    batch,
    at: () => {
      if (++batches === dieAfter) process.kill(process.pid, 'SIGKILL')
    },
  })
  process.exit()
}

if (process.argv[1] === ME) await work(JSON.parse(process.env.ROTATE_CHILD ?? '') as Given)
