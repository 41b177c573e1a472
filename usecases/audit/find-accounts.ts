import type { Auditor } from '../../domain/audit/events.ts'
import { MemberId } from '../../domain/shared/ids.ts'
import { findAddress } from '../identity/address-id.ts'
import type { Ports } from '../ports.ts'
import { type Auditing, recordLook } from './record-look.ts'

/** Who is looked for: one member, several whose stream it is, or nobody. */
export type Found = { readonly members: readonly MemberId[]; readonly stream: string | null }
type Searching = Auditing & Pick<Ports, 'history' | 'credentials' | 'addresses'>

const STREAM = /^[a-z]+-[0-9a-z_]{1,80}$/

/**
 * By id, e-mail address or stream; that somebody was looked for is recorded, found or not, without the words. An erased
 * member has no address any more, and is found by id or stream.
 */
export async function findAccounts(context: Searching, auditor: Auditor, asked: string): Promise<Found> {
  const words = asked.trim()
  const found = await lookUp(context, words)
  const at = context.now()
  await recordLook(context, {
    type: 'SearchAccount',
    auditor,
    ...(await wordsFor(context, words)),
    found: found.members.length,
    at,
  })
  return found
}

const isAddress = (words: string) => words.includes('@')

/** What the log may keep of the words. */
async function wordsFor(context: Searching, words: string) {
  const key = context.credentials.emailKey(words)
  return isAddress(words) ? { asked: null, address: await findAddress(context, key) } : { asked: key, address: null }
}

async function lookUp(context: Searching, word: string): Promise<Found> {
  if (isAddress(word)) {
    const known = await context.credentials.findByEmail(word)
    return { members: known ? [known.member] : [], stream: null }
  }
  const id = MemberId.safeParse(word)
  if (id.success) return { members: (await context.history.account(id.data)) ? [id.data] : [], stream: null }
  if (!STREAM.test(word)) return { members: [], stream: null }
  return { members: await context.history.whose(word), stream: word }
}
