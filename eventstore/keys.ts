import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Pool } from 'pg'

const VERSION = 1
const IV = 12
const TAG = 16
const KEY = 32
const CACHED = 200_000

/** A subject's key: its bytes, or null once destroyed. */
type CachedKey = Buffer | null

/**
 * Data keys by subject (a member, or a report for its evidence), wrapped by the master key, in a table outside the
 * log. Destroying a key is how the log forgets (ruling R26). `seal` and `open` work on keys that were made ready.
 */
export type KeyRing = {
  /** Makes keys for those that have none, and loads all of them. A destroyed key is never made again. */
  ensure(subjects: Iterable<string>): Promise<void>
  /** Loads those that exist. */
  load(subjects: Iterable<string>): Promise<void>
  /** Throws for a subject whose key is destroyed or was not made ready. */
  seal(subject: string, context: string, plain: string): string
  /** null when the key is destroyed or never was; throws when the text was tampered with. */
  open(subject: string, context: string, sealed: string): string | null
  /** A keyed fingerprint that dies with the key; undefined without a key. */
  fingerprint(subject: string, text: string): string | undefined
  /** For ever; answers since when. Other processes drop their copy when they meet `AccountErased`. */
  destroy(subject: string): Promise<Date>
  /** Drops the copy of this process, and what others here keep of the subject. */
  forget(subject: string): void
  /** `listener` is called with every subject that is forgotten. */
  onForget(listener: (subject: string) => void): void
}

/** `masterKey`: 32 bytes. The tables are `app.subject_key` and `app.destroyed_key`. */
export function createKeyRing(pool: Pool, masterKey: Buffer): KeyRing {
  return new PostgresKeyRing(pool, derive(masterKey, 'subject-keys'))
}

class PostgresKeyRing implements KeyRing {
  private readonly cached = new Map<string, CachedKey>()
  private readonly listeners: ((subject: string) => void)[] = []

  constructor(
    private readonly pool: Pool,
    private readonly wrapping: Buffer,
  ) {}

  async load(subjects: Iterable<string>): Promise<void> {
    const wanted = this.missing(subjects)
    if (wanted.length === 0) return
    const { rows } = await this.pool.query<{ subject: string; wrapped: Buffer }>(
      'select subject, wrapped from app.subject_key where subject = any($1)',
      [wanted],
    )
    trim(this.cached)
    for (const { subject, wrapped } of rows) {
      // Forgotten while the question was under way.
      if (this.cached.has(subject)) continue
      this.cached.set(subject, wrapped.length > 0 ? unseal(this.wrapping, subject, wrapped) : null)
    }
  }

  async ensure(subjects: Iterable<string>): Promise<void> {
    await this.load(subjects)
    const wanted = this.missing(subjects)
    if (wanted.length === 0) return
    const wrapped = wanted.map((subject) => encrypt(this.wrapping, subject, randomBytes(KEY)))
    await this.pool.query(
      `insert into app.subject_key (subject, wrapped)
       select s, w from unnest($1::text[], $2::bytea[]) u(s, w)
       where not exists (select from app.destroyed_key d where d.subject = s) on conflict do nothing`,
      [wanted, wrapped],
    )
    await this.load(wanted)
  }

  seal(subject: string, context: string, plain: string): string {
    const key = this.cached.get(subject)
    if (!key) throw new Error(`no key for ${subject}`)
    return encrypt(key, context, Buffer.from(plain, 'utf8')).toString('base64url')
  }

  open(subject: string, context: string, sealed: string): string | null {
    const key = this.cached.get(subject)
    return key ? unseal(key, context, Buffer.from(sealed, 'base64url')).toString('utf8') : null
  }

  fingerprint(subject: string, text: string): string | undefined {
    const key = this.cached.get(subject)
    return key ? createHmac('sha256', key).update(text).digest('base64url').slice(0, 22) : undefined
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
    this.cached.set(subject, null)
    for (const listener of this.listeners) listener(subject)
  }

  onForget(listener: (subject: string) => void): void {
    this.listeners.push(listener)
  }

  private missing(subjects: Iterable<string>): string[] {
    return [...new Set(subjects)].filter((subject) => !this.cached.has(subject))
  }
}

function derive(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), purpose, KEY))
}

/** version ‖ iv ‖ tag ‖ ciphertext, AES-256-GCM, bound to its context. */
function encrypt(key: Buffer, context: string, plain: Buffer): Buffer {
  const iv = randomBytes(IV)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context, 'utf8'))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.from([VERSION]), iv, cipher.getAuthTag(), body])
}

function unseal(key: Buffer, context: string, sealed: Buffer): Buffer {
  if (sealed[0] !== VERSION) throw new Error(`unknown envelope version ${sealed[0]}`)
  const tagAt = 1 + IV
  const bodyAt = tagAt + TAG
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, tagAt)).setAAD(Buffer.from(context, 'utf8'))
  decipher.setAuthTag(sealed.subarray(tagAt, bodyAt))
  return Buffer.concat([decipher.update(sealed.subarray(bodyAt)), decipher.final()])
}

function trim(cached: Map<string, CachedKey>): void {
  if (cached.size < CACHED) return
  let surplus = cached.size - CACHED / 2
  for (const subject of cached.keys()) {
    if (surplus-- <= 0) return
    cached.delete(subject)
  }
}
