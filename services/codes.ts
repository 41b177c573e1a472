import { createHash, randomBytes, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { days, minutes } from '../domain/shared/dates.ts'
import type { AppDb } from './app-db.ts'
import type { Clock } from './clock.ts'
import { hashToken, sameBytes } from './secrets.ts'

/** Ruling R14. */
export const CODE_MS = minutes(10)
export const CODE_TRIES = 5
export const CODE_RESEND_MS = 60_000
/** After this many failures in a row only the link in the mail works for the address (security T8). */
export const CODE_FAILURES = 100

/** Failures are forgotten after so long without another one. */
export const CODE_FAILURES_MS = days(30)

export type CodePurpose = 'signup' | 'reset'
type TooSoon = { ok: false; retryInMs: number }
export type IssuedCode = { ok: true; code: string; linkToken: string } | TooSoon
export type CodeVerdict = 'ok' | 'wrong' | 'expired'

/** One-time codes by purpose and address; a new one ends the old. */
export type Codes = {
  /** Six digits and a 128-bit token for a link. Refused within a minute of the last one. */
  issue(purpose: CodePurpose, emailKey: string): Promise<IssuedCode>
  /** For an address that gets no code: it and later tries meet the same answers, and no code is right. */
  issueDecoy(purpose: CodePurpose, emailKey: string): Promise<{ ok: true; code: null } | TooSoon>
  /** Within the last ten minutes. Alike for decoys, and for codes that were used since. */
  isIssued(purpose: CodePurpose, emailKey: string): Promise<boolean>
  /** The mail with the code could not be sent: another one may be asked for at once. */
  withdraw(purpose: CodePurpose, emailKey: string): Promise<void>
  /** Counts the try before it compares. 'expired' also means used, unknown, or no tries left. */
  verify(purpose: CodePurpose, emailKey: string, code: string): Promise<CodeVerdict>
  /** As `verify`, but a right code stays as it was, for whoever may still be refused for another reason. */
  peek(purpose: CodePurpose, emailKey: string, code: string): Promise<CodeVerdict>
  /** Whose link this is, without using it up. */
  peekLink(purpose: CodePurpose, linkToken: string): Promise<string | null>
  /** Uses the link and its code up; answers the address's key. */
  verifyLink(purpose: CodePurpose, linkToken: string): Promise<string | null>
  sweep(): Promise<number>
}

type Deps = { db: AppDb; now: Clock; resendAfterMs?: number }

/** `resendAfterMs` is 0 where limits are lifted. */
export function createCodes(deps: Deps): Codes {
  const { db, now } = deps
  return {
    async issue(purpose, emailKey) {
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const linkToken = randomBytes(16).toString('base64url')
      const retryInMs = await store(deps, purpose, emailKey, code, linkToken)
      return retryInMs > 0 ? { ok: false, retryInMs } : { ok: true, code, linkToken }
    },
    async issueDecoy(purpose, emailKey) {
      const [nobodys, link] = [randomBytes(16).toString('hex'), randomBytes(16).toString('base64url')]
      const retryInMs = await store(deps, purpose, emailKey, nobodys, link)
      return retryInMs > 0 ? { ok: false, retryInMs } : { ok: true, code: null }
    },
    async isIssued(purpose, emailKey) {
      const issued = await findIssued(deps, purpose, emailKey)
      return issued !== undefined && issued.getTime() + CODE_MS > now().getTime()
    },
    async withdraw(purpose, emailKey) {
      await db.deleteFrom('code').where('purpose', '=', purpose).where('email_key', '=', emailKey).execute()
    },
    async verify(purpose, emailKey, code) {
      const tried = await tryCode(deps, purpose, emailKey, code)
      if (typeof tried === 'string') return tried
      return (await spend(deps, purpose, 'code_hash', tried.right)) === emailKey ? 'ok' : 'expired'
    },
    async peek(purpose, emailKey, code) {
      const tried = await tryCode(deps, purpose, emailKey, code)
      if (typeof tried === 'string') return tried
      await giveTryBack(deps, purpose, emailKey, tried.right)
      return 'ok'
    },
    async peekLink(purpose, linkToken) {
      const row = await db
        .selectFrom('code')
        .select('email_key')
        .where('purpose', '=', purpose)
        .where('link_hash', '=', hashToken(linkToken))
        .where('expires_at', '>', now())
        .executeTakeFirst()
      return row?.email_key ?? null
    },
    verifyLink: (purpose, linkToken) => spend(deps, purpose, 'link_hash', hashToken(linkToken)),
    async sweep() {
      const quietSince = new Date(now().getTime() - CODE_FAILURES_MS)
      const codes = await db.deleteFrom('code').where('expires_at', '<=', now()).executeTakeFirst()
      const failures = await db.deleteFrom('code_failure').where('last_at', '<=', quietSince).executeTakeFirst()
      return Number(codes.numDeletedRows + failures.numDeletedRows)
    },
  }
}

async function store(deps: Deps, purpose: CodePurpose, emailKey: string, code: string, link: string): Promise<number> {
  const { db, now, resendAfterMs = CODE_RESEND_MS } = deps
  const at = now()
  const salt = randomBytes(16)
  const fresh = {
    salt,
    code_hash: hashCode(salt, code),
    link_hash: hashToken(link),
    tries: 0,
    issued_at: at,
    expires_at: new Date(at.getTime() + CODE_MS),
  }
  const stored = await db
    .insertInto('code')
    .values({ purpose, email_key: emailKey, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['purpose', 'email_key'])
        .doUpdateSet(fresh)
        .where('code.issued_at', '<=', new Date(at.getTime() - resendAfterMs)),
    )
    .returning('issued_at')
    .executeTakeFirst()
  if (stored) return 0
  const last = await findIssued(deps, purpose, emailKey)
  return last ? Math.max(1, last.getTime() + resendAfterMs - at.getTime()) : 1
}

async function findIssued(deps: Deps, purpose: CodePurpose, emailKey: string): Promise<Date | undefined> {
  const { db } = deps
  const row = await db
    .selectFrom('code')
    .select('issued_at')
    .where('purpose', '=', purpose)
    .where('email_key', '=', emailKey)
    .executeTakeFirst()
  return row?.issued_at
}

/**
 * Whether failures in a row shut an address out: only where its mail has a link that helps (security T8). With the code of a
 * sign-up, strangers would else keep the holder of an address from an account.
 */
const isCapped = (purpose: CodePurpose) => purpose === 'reset'

/** Counts the try, then compares. A right code answers with its hash. */
async function tryCode(
  deps: Deps,
  purpose: CodePurpose,
  emailKey: string,
  code: string,
): Promise<Exclude<CodeVerdict, 'ok'> | { right: Buffer }> {
  const tried = await takeTry(deps, purpose, emailKey)
  if (!tried || (isCapped(purpose) && tried.failures > CODE_FAILURES)) return 'expired'
  return sameBytes(tried.code_hash, hashCode(tried.salt, code)) ? { right: tried.code_hash } : 'wrong'
}

/** One statement takes one of the tries and counts it as a failure until the comparison proves otherwise. */
async function takeTry(deps: Deps, purpose: CodePurpose, emailKey: string) {
  const { db, now } = deps
  const { rows } = await sql<{ salt: Buffer; code_hash: Buffer; failures: number }>`
    with tried as (
      update code set tries = tries + 1
      where purpose = ${purpose} and email_key = ${emailKey} and tries < ${CODE_TRIES} and expires_at > ${now()}
      returning salt, code_hash
    ), counted as (
      insert into code_failure (email_key, failures, last_at) select ${emailKey}, 1, ${now()} from tried where ${isCapped(purpose)}::boolean
      on conflict (email_key) do update set failures = code_failure.failures + 1, last_at = excluded.last_at
      returning failures
    )
    select salt, code_hash, coalesce((select failures from counted), 0) as failures from tried`.execute(db)
  return rows[0]
}

async function giveTryBack({ db }: Deps, purpose: CodePurpose, emailKey: string, right: Buffer): Promise<void> {
  await sql`
    with kept as (
      update code set tries = tries - 1
      where purpose = ${purpose} and email_key = ${emailKey} and code_hash = ${right}
      returning email_key
    )
    update code_failure set failures = failures - 1 from kept
    where code_failure.email_key = kept.email_key and ${isCapped(purpose)}::boolean`.execute(db)
}

/** Of a code that is used, that it was issued stays until it is old: a decoy is never used (security T10). */
async function spend(
  deps: Deps,
  purpose: CodePurpose,
  column: 'code_hash' | 'link_hash',
  hash: Buffer,
): Promise<string | null> {
  const { db, now } = deps
  const row = await db
    .updateTable('code')
    .set({ code_hash: randomBytes(32), link_hash: randomBytes(32), tries: CODE_TRIES })
    .where('purpose', '=', purpose)
    .where(column, '=', hash)
    .where('expires_at', '>', now())
    .returning('email_key')
    .executeTakeFirst()
  if (!row) return null
  await db.deleteFrom('code_failure').where('email_key', '=', row.email_key).execute()
  return row.email_key
}

function hashCode(salt: Buffer, code: string): Buffer {
  return createHash('sha256').update(salt).update(code, 'utf8').digest()
}
