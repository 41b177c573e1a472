import { days, hours, minutes } from '../../domain/shared/dates.ts'
import type { AppDb } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import { hashToken, newToken } from '../secrets.ts'
import type { LimitVerdict } from './limits.ts'

/** Failures of one account (api-contract §6.2, LOGIN). */
const WINDOW_MS = minutes(15)
const IN_WINDOW = 10
const IN_A_ROW = 100
const FIRST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = hours(1)
/** The waits begin anew after so long without a failure: what a stranger guessed makes no typo of the owner's cost an hour. */
const WAITS_MS = days(1)
/** Failures are forgotten after so long without another one, and a device that was not used for so long. */
const QUIET_MS = days(30)
const DEVICE_MS = days(400)
/** Of one account; the one that was not used for longest is forgotten first. */
const DEVICES_KNOWN = 50

/** `since`: of the window that the try counts in. `mailLink`: a hundred failures in a row; only the link of a reset mail helps. */
export type LoginTry =
  | { readonly ok: true; readonly since: Date }
  | (Extract<LimitVerdict, { ok: false }> & { readonly mailLink?: true })
type Who = { emailKey: string; device?: string | undefined }
/** `passwordHash`: the member's when they proved who they are, where they did by one. */
type SignedIn = Who & { passwordHash?: string | null }

/**
 * Stands in front of the password check. Every try counts before it is compared, so that parallel guesses get no more
 * than serial ones. A device that signed in to the account before has a count of its own: others cannot lock it out.
 */
export type LoginGuard = {
  before(who: Who): Promise<LoginTry>
  /** After a try that came to no answer: it counts for nothing, where its window still lasts. */
  giveBack(who: Who, since: Date): Promise<void>
  /** Whether this device signed in to the account before, or set its password by mail. */
  knows(who: Who): Promise<boolean>
  /** Whether any account knows this device. */
  knowsOfAny(device: string): Promise<boolean>
  /** Forgets the failures of this device, or of those that are not known. */
  passed(who: Who): Promise<void>
  /**
   * The same, and knows the device from here on, unless the password is another one since; answers the token for its
   * cookie.
   */
  succeeded(who: SignedIn): Promise<{ device: string }>
  /** After a reset by mail. */
  clear(emailKey: string): Promise<void>
  sweep(): Promise<number>
}

type Row = { window_started_at: Date; in_window: number; in_a_row: number; waits: number; next_at: Date }

type Deps = { db: AppDb; now: Clock; off?: boolean; prefix?: string }

/** The same in front of the codes of a second factor: who knows the password may guess no more of them. */
export type CodeGuard = Pick<LoginGuard, 'before' | 'passed'>

const CODES = 'code:'

/** A reset of the password forgets none of its failures. */
export const createCodeGuard = (deps: Omit<Deps, 'prefix'>): CodeGuard => createLoginGuard({ ...deps, prefix: CODES })

export function createLoginGuard(deps: Deps): LoginGuard {
  const { db, now, off = false, prefix = '' } = deps

  async function passed(who: Who): Promise<void> {
    const key = prefix + (await keyOf(deps, who))
    await db.deleteFrom('login_guard').where('key', '=', key).execute()
  }

  return {
    async before(who) {
      if (off) return { ok: true, since: now() }
      const key = prefix + (await keyOf(deps, who))
      const at = now()
      return db.transaction().execute(async (tx) => {
        const fresh = { window_started_at: at, in_window: 0, in_a_row: 0, waits: 0, next_at: at }
        // A success removes the row: an insert and a look at what was there already are one statement.
        const stored = await tx
          .insertInto('login_guard')
          .values({ key, ...fresh })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
          .returningAll()
          .executeTakeFirstOrThrow()
        const verdict = judge(stored, at)
        if (!verdict.ok) return verdict
        const after = counted(stored, at)
        await tx.updateTable('login_guard').set(after).where('key', '=', key).execute()
        return { ok: true, since: after.window_started_at }
      })
    },
    async giveBack(who, since) {
      const key = prefix + (await keyOf(deps, who))
      await db.transaction().execute(async (tx) => {
        const own = tx.selectFrom('login_guard').selectAll().where('key', '=', key).forUpdate()
        const stored = await own.executeTakeFirst()
        // Another window began since, after a success as well.
        if (stored?.window_started_at.getTime() !== since.getTime()) return
        await tx.updateTable('login_guard').set(uncounted(stored)).where('key', '=', key).execute()
      })
    },
    knows: async (who) => (await keyOf(deps, who)) !== who.emailKey,
    async knowsOfAny(device) {
      const known = db.selectFrom('known_device').select('seen_at').where('device_hash', '=', hashToken(device))
      return (await known.limit(1).executeTakeFirst()) !== undefined
    },
    passed,
    async succeeded(who) {
      await passed(who)
      const device = who.device ?? newToken()
      await remember(deps, { ...who, device })
      return { device }
    },
    clear: (emailKey) => forgetFailures(db, emailKey),
    async sweep() {
      const before = (ms: number) => new Date(now().getTime() - ms)
      const tries = await db.deleteFrom('login_guard').where('next_at', '<', before(QUIET_MS)).executeTakeFirst()
      const devices = await db.deleteFrom('known_device').where('seen_at', '<', before(DEVICE_MS)).executeTakeFirst()
      return Number(tries.numDeletedRows + devices.numDeletedRows)
    },
  }
}

async function keyOf(deps: Deps, { emailKey, device }: Who): Promise<string> {
  const { db } = deps
  if (!device) return emailKey
  const hash = hashToken(device)
  const known = await db
    .selectFrom('known_device')
    .select('seen_at')
    .where('email_key', '=', emailKey)
    .where('device_hash', '=', hash)
    .executeTakeFirst()
  return known ? `${emailKey}:${hash.toString('base64url')}` : emailKey
}

/** All failures of an account that ends, at its password and at its codes. */
export async function forgetAllFailures(db: AppDb, emailKey: string): Promise<void> {
  for (const prefix of ['', CODES]) await forgetFailures(db, prefix + emailKey)
}

/** Of the account and of each device that is known. Keys of addresses have one length: none begins another. */
async function forgetFailures(db: AppDb, key: string): Promise<void> {
  await db.deleteFrom('login_guard').where('key', 'like', `${key}%`).execute()
}

/** Of an account that is there still, with its password: a sign-in may be under way while it is erased, or reset. */
async function remember(deps: Deps, { emailKey, device, passwordHash }: SignedIn & { device: string }): Promise<void> {
  const { db, now } = deps
  await db.transaction().execute(async (tx) => {
    const own = tx.selectFrom('credential').select('password_hash').where('email_key', '=', emailKey).forShare()
    const credential = await own.executeTakeFirst()
    if (!credential || (passwordHash !== undefined && passwordHash !== credential.password_hash)) return
    await tx
      .insertInto('known_device')
      .values({ email_key: emailKey, device_hash: hashToken(device), seen_at: now() })
      .onConflict((conflict) => conflict.columns(['email_key', 'device_hash']).doUpdateSet({ seen_at: now() }))
      .execute()
    const known = tx.selectFrom('known_device').select('device_hash').where('email_key', '=', emailKey)
    const newest = known.orderBy('seen_at', 'desc').orderBy('device_hash').limit(DEVICES_KNOWN)
    await tx
      .deleteFrom('known_device')
      .where('email_key', '=', emailKey)
      .where('device_hash', 'not in', newest)
      .execute()
  })
}

function judge(stored: Row, at: Date): { ok: true } | Extract<LoginTry, { ok: false }> {
  if (stored.in_a_row >= IN_A_ROW) return { ok: false, retryInMs: LONGEST_WAIT_MS, mailLink: true }
  // Without waits it is when another try began, which a request beside this one may read of its clock a little later.
  const wait = stored.waits === 0 ? 0 : stored.next_at.getTime() - at.getTime()
  return wait > 0 ? { ok: false, retryInMs: wait } : { ok: true }
}

/** The row after one more try. Past the ten of a window each try makes the next wait twice as long, until one succeeds or a day is quiet. */
function counted(stored: Row, at: Date): Row {
  const over = at.getTime() - stored.window_started_at.getTime() >= WINDOW_MS
  const started = over ? { window_started_at: at, in_window: 1 } : { ...stored, in_window: stored.in_window + 1 }
  const failedAt = stored.next_at.getTime() - waitMsOf(stored.waits)
  const grown = at.getTime() - failedAt >= WAITS_MS ? 0 : stored.waits
  const waits = started.in_window >= IN_WINDOW || grown > 0 ? grown + 1 : 0
  return {
    window_started_at: started.window_started_at,
    in_window: started.in_window,
    in_a_row: stored.in_a_row + 1,
    waits,
    next_at: new Date(at.getTime() + waitMsOf(waits)),
  }
}

/** The row with one try less, and the wait as long as it would be then. */
function uncounted(stored: Row): Row {
  const waits = Math.max(0, stored.waits - 1)
  return {
    window_started_at: stored.window_started_at,
    in_window: Math.max(0, stored.in_window - 1),
    in_a_row: Math.max(0, stored.in_a_row - 1),
    waits,
    next_at: new Date(stored.next_at.getTime() - waitMsOf(stored.waits) + waitMsOf(waits)),
  }
}

const waitMsOf = (waits: number) =>
  waits === 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(waits - 1, 10))
