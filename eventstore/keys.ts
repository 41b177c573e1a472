import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { byAny, type MasterKey, masterKeysOf } from '../domain/shared/master-key.ts'

const VERSION = 1
const IV = 12
const TAG = 16
const KEY = 32
/** Keys in memory, unless more are in use at once. */
const CACHED_MOST = 200_000

/** A subject's key: its bytes, or null once destroyed. */
type CachedKey = Buffer | null

/**
 * Data keys by subject (a member, or a report for its evidence), wrapped by the master key, in a table outside the
 * log. Destroying a key is how the log forgets (ruling R26).
 */
export type KeyRing = {
  /** `use` works with the keys of these subjects; those that have none get one. A destroyed key is never made again. */
  ensure<T>(subjects: Iterable<string>, use: (keys: Keys) => T): Promise<T>
  /** `use` works with the keys of these subjects, as far as they exist. */
  load<T>(subjects: Iterable<string>, use: (keys: Keys) => T): Promise<T>
  /** For ever; answers since when. Other processes drop their copy when they meet `AccountErased`. */
  destroy(subject: string): Promise<Date>
  /** Drops the copy of this process, and what others here keep of the subject. */
  forget(subject: string): void
  /** `listener` is called with every subject that is forgotten. */
  onForget(listener: (subject: string) => void): void
}

/** Something of a subject was to be sealed whose key is destroyed. */
export class KeyDestroyed extends Error {
  override name = 'KeyDestroyed'
}

/** The keys of the subjects that were asked for; throws for any other. */
export type Keys = {
  /** Throws KeyDestroyed. */
  encrypt(subject: string, context: string, plain: string): string
  /** null when the key is destroyed or never was; throws when the text was tampered with. */
  decrypt(subject: string, context: string, encrypted: string): string | null
  /** False where there never was one. */
  isDestroyed(subject: string): boolean
  /** A keyed hash that dies with the key; undefined without a key. */
  keyedHash(subject: string, text: string): string | undefined
}

type WrappingKeys = readonly [Buffer, ...Buffer[]]

/** The tables are `app.subject_key` and `app.destroyed_key`. */
export function createKeyRing(pool: Pool, masterKey: MasterKey, cachedMost = CACHED_MOST): KeyRing {
  const [first, ...others] = masterKeysOf(masterKey).map((key) => derive(key, 'subject-keys'))
  return new PostgresKeyRing(pool, [first!, ...others], cachedMost)
}

class PostgresKeyRing implements KeyRing {
  private readonly cached = new Map<string, CachedKey>()
  /** How many calls wait for or work with a subject's key, which stays in the cache until then. */
  private readonly inUse = new Map<string, number>()
  private readonly listeners: ((subject: string) => void)[] = []

  constructor(
    private readonly pool: Pool,
    private readonly wrapping: WrappingKeys,
    private readonly cachedMost: number,
  ) {}

  load<T>(subjects: Iterable<string>, use: (keys: Keys) => T): Promise<T> {
    return this.using(new Set(subjects), async (wanted) => {
      await this.fetch(this.missing(wanted))
      return use(new LoadedKeys(this.cached, wanted))
    })
  }

  ensure<T>(subjects: Iterable<string>, use: (keys: Keys) => T): Promise<T> {
    return this.using(new Set(subjects), async (wanted) => {
      await this.fetch(this.missing(wanted))
      await this.make(this.missing(wanted))
      return use(new LoadedKeys(this.cached, wanted))
    })
  }

  async destroy(subject: string): Promise<Date> {
    // The empty row replaces the key: a process that makes a key at this moment finds it taken.
    const { rows } = await this.pool.query<{ destroyed_at: Date }>(
      `with gone as (insert into app.subject_key (subject, wrapped) values ($1, '')
         on conflict (subject) do update set wrapped = '')
       insert into app.destroyed_key as known (subject, destroyed_at) values ($1, now())
         on conflict (subject) do update set destroyed_at = known.destroyed_at returning destroyed_at`,
      [subject],
    )
    this.forget(subject)
    return rows[0]!.destroyed_at
  }

  forget(subject: string): void {
    // The youngest of all, so that the next keys push others out.
    this.cached.delete(subject)
    this.cached.set(subject, null)
    for (const listener of this.listeners) listener(subject)
  }

  onForget(listener: (subject: string) => void): void {
    this.listeners.push(listener)
  }

  private async using<T>(wanted: ReadonlySet<string>, work: (wanted: ReadonlySet<string>) => Promise<T>): Promise<T> {
    for (const subject of wanted) {
      this.inUse.set(subject, (this.inUse.get(subject) ?? 0) + 1)
      this.renew(subject)
    }
    try {
      return await work(wanted)
    } finally {
      for (const subject of wanted) {
        const users = this.inUse.get(subject)! - 1
        if (users > 0) this.inUse.set(subject, users)
        else this.inUse.delete(subject)
      }
    }
  }

  /** A map is in the order of its insertions: what was used last stands last. */
  private renew(subject: string): void {
    const key = this.cached.get(subject)
    if (key === undefined) return
    this.cached.delete(subject)
    this.cached.set(subject, key)
  }

  private missing(subjects: ReadonlySet<string>): string[] {
    return [...subjects].filter((subject) => !this.cached.has(subject))
  }

  private async fetch(wanted: readonly string[]): Promise<void> {
    if (wanted.length === 0) return
    const { rows } = await this.pool.query<{ subject: string; wrapped: Buffer }>(
      'select subject, wrapped from app.subject_key where subject = any($1)',
      [wanted],
    )
    this.trim()
    for (const { subject, wrapped } of rows) {
      // Forgotten while the question was under way.
      if (this.cached.has(subject)) continue
      this.cached.set(
        subject,
        wrapped.length > 0 ? own(byAny(this.wrapping, (key) => decrypt(key, subject, wrapped))) : null,
      )
    }
  }

  private async make(wanted: readonly string[]): Promise<void> {
    if (wanted.length === 0) return
    const wrapped = wanted.map((subject) => encrypt(this.wrapping[0], subject, randomBytes(KEY)))
    await this.pool.query(
      `insert into app.subject_key (subject, wrapped)
       select s, w from unnest($1::text[], $2::bytea[]) u(s, w)
       where not exists (select from app.destroyed_key d where d.subject = s) on conflict do nothing`,
      [wanted, wrapped],
    )
    await this.fetch(wanted)
  }

  /** The half that was used longest ago goes once the cache is full, but nothing that a call is about to use. */
  private trim(): void {
    if (this.cached.size < this.cachedMost) return
    let surplus = this.cached.size - this.cachedMost / 2
    for (const subject of this.cached.keys()) {
      if (surplus <= 0) return
      if (this.inUse.has(subject)) continue
      this.cached.delete(subject)
      surplus--
    }
  }
}

/** The cached keys of those that a call has loaded. */
class LoadedKeys implements Keys {
  constructor(
    private readonly cached: ReadonlyMap<string, CachedKey>,
    private readonly loaded: ReadonlySet<string>,
  ) {}

  encrypt(subject: string, context: string, plain: string): string {
    const key = this.keyOf(subject)
    if (!key) throw new KeyDestroyed(`no key for ${subject}`)
    return encrypt(key, context, Buffer.from(plain, 'utf8')).toString('base64url')
  }

  decrypt(subject: string, context: string, encrypted: string): string | null {
    const key = this.keyOf(subject)
    return key ? decrypt(key, context, Buffer.from(encrypted, 'base64url')).toString('utf8') : null
  }

  isDestroyed(subject: string): boolean {
    return this.keyOf(subject) === null
  }

  keyedHash(subject: string, text: string): string | undefined {
    const key = this.keyOf(subject)
    return key ? createHmac('sha256', key).update(text).digest('base64url').slice(0, 22) : undefined
  }

  private keyOf(subject: string): CachedKey | undefined {
    if (!this.loaded.has(subject)) throw new Error(`the key of ${subject} was not asked for`)
    return this.cached.get(subject)
  }
}

/** In memory of its own: a piece of node's pool would keep eight KiB for the thirty-two bytes of a key. */
function own(key: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(key.length)
  key.copy(copy)
  return copy
}

function derive(master: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), purpose, KEY))
}

/** version ‖ iv ‖ tag ‖ ciphertext, AES-256-GCM, bound to its context. */
function encrypt(key: Buffer, context: string, plain: Buffer): Buffer {
  const iv = randomBytes(IV)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context, 'utf8'))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.from([VERSION]), iv, cipher.getAuthTag(), body])
}

function decrypt(key: Buffer, context: string, encrypted: Buffer): Buffer {
  if (encrypted[0] !== VERSION) throw new Error(`unknown envelope version ${encrypted[0]}`)
  const tagAt = 1 + IV
  const bodyAt = tagAt + TAG
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(1, tagAt)).setAAD(
    Buffer.from(context, 'utf8'),
  )
  decipher.setAuthTag(encrypted.subarray(tagAt, bodyAt))
  return Buffer.concat([decipher.update(encrypted.subarray(bodyAt)), decipher.final()])
}
