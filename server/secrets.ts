import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { MasterKeys } from '../domain/shared/master-key.ts'
import { type Config, ConfigError } from './config.ts'
import { keepPrivate } from './embedded/lifecycle/private-file.ts'

export type Secrets = {
  /** 32 bytes; wraps members' keys. */
  masterKey: Buffer
  /** Read and never sealed with: the one before, and the one to come, while the master key is rotated. */
  masterKeyOld?: Buffer
  masterKeyNext?: Buffer
  emailPepper: string
  mediaSecret: string
}

const BYTES = 32
const masterKey = z.string().refine((text) => Buffer.from(text, 'base64').length === BYTES)
const stored = z.object({
  masterKey,
  masterKeyOld: masterKey.nullish(),
  masterKeyNext: masterKey.nullish(),
  emailPepper: z.string().min(BYTES),
  mediaSecret: z.string().min(BYTES),
})
type Stored = z.output<typeof stored>

type Source = Pick<Config, 'mode' | 'dataDir' | 'givenSecrets'>

/**
 * The environment's secrets; in local mode those it leaves out are made once and kept in the data folder, which must exist.
 * Throws rather than make new ones in place of a broken file: what the old key sealed would be lost.
 */
export function openSecrets(config: Source): Secrets {
  return findSecrets(config) ?? merged(config, make(fileIn(config)))
}

/** The same where they are there; null where `openSecrets` would make some. */
export function findSecrets(config: Source): Secrets | null {
  const { masterKey, emailPepper, mediaSecret, ...others } = config.givenSecrets
  if (masterKey !== null && emailPepper !== null && mediaSecret !== null) {
    return fromText({ masterKey, emailPepper, mediaSecret, ...others })
  }
  if (config.mode !== 'local') throw new ConfigError(['MASTER_KEY, EMAIL_PEPPER and MEDIA_SECRET must be set.'])
  const kept = read(fileIn(config))
  return kept && merged(config, kept)
}

const fileIn = ({ dataDir }: Source) => join(dataDir, 'secrets.json')

const merged = ({ givenSecrets: given }: Source, kept: Stored) =>
  fromText({
    masterKey: given.masterKey ?? kept.masterKey,
    masterKeyOld: given.masterKeyOld ?? kept.masterKeyOld,
    masterKeyNext: given.masterKeyNext ?? kept.masterKeyNext,
    emailPepper: given.emailPepper ?? kept.emailPepper,
    mediaSecret: given.mediaSecret ?? kept.mediaSecret,
  })

const fromText = ({ masterKey, masterKeyOld, masterKeyNext, ...others }: Stored): Secrets => ({
  masterKey: Buffer.from(masterKey, 'base64'),
  ...(masterKeyOld && { masterKeyOld: Buffer.from(masterKeyOld, 'base64') }),
  ...(masterKeyNext && { masterKeyNext: Buffer.from(masterKeyNext, 'base64') }),
  ...others,
})

export type MasterSecrets = Pick<Secrets, 'masterKey' | 'masterKeyOld' | 'masterKeyNext'>

/** The key that seals, and behind it those that are read beside it; each once, by its bytes. */
export function masterKeysIn({ masterKey, masterKeyOld, masterKeyNext }: MasterSecrets): MasterKeys {
  const beside = [masterKeyOld, masterKeyNext].filter((key) => key !== undefined)
  const isFirst = (key: Buffer, at: number) => ![masterKey, ...beside.slice(0, at)].some((other) => other.equals(key))
  return [masterKey, ...beside.filter(isFirst)]
}

function read(path: string): Stored | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Error(`${path} cannot be read by this user. Start as the user who made it.`, { cause: error })
  }
  try {
    return stored.parse(JSON.parse(text))
  } catch {
    // Without the cause: it could quote the file.
    throw new Error(`${path} is damaged. Put a copy of it back; without its key the sealed data is lost.`)
  }
}

/** Linked into place whole, so that of two first starts one makes the secrets and both use them. */
function make(path: string): Stored {
  const text = () => randomBytes(BYTES).toString('base64url')
  const fresh: Stored = {
    masterKey: randomBytes(BYTES).toString('base64'),
    emailPepper: text(),
    mediaSecret: text(),
  }
  if (keepPrivate(path, () => JSON.stringify(fresh, null, 2)) !== null) return fresh
  const other = read(path)
  if (!other) throw new Error(`${path} came and went.`)
  return other
}
