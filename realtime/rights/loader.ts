import type { MemberId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { withTimeout } from '../../eventstore/retry.ts'

type Asked = { readonly members: readonly MemberId[]; readonly accounts: readonly MemberId[] }

/** What the read models know of members, each model at its own position. */
export type StoredRights = {
  readonly relationsAt: Position
  readonly accountsAt: Position
  /** Pairs that are matched; of each asked member all. */
  readonly matched: Iterable<readonly [MemberId, MemberId]>
  /** Directed: the first blocked the second; of each asked member all, in both directions. */
  readonly blocked: Iterable<readonly [MemberId, MemberId]>
  /** Those asked about, and their matches, whose accounts are not active. */
  readonly out: Iterable<MemberId>
}
export type ReadRights = (asked: Asked) => Promise<StoredRights>

/** The relationships of one member at a position; later changes are folded into them. */
export type Relationships = {
  from: Position
  readonly matches: Set<MemberId>
  readonly blocks: Set<MemberId>
  readonly blockedBy: Set<MemberId>
}
export type Batch = Pick<StoredRights, 'relationsAt' | 'accountsAt'> & {
  readonly of: ReadonlyMap<MemberId, Relationships>
  readonly out: ReadonlySet<MemberId>
}

/** Members and accounts of one look-up. */
export const AT_ONCE = 250
/** Look-ups that run side by side, so that a slow one does not hold up the rest. */
const SIDE_BY_SIDE = 4

/** From when a look-up begins: those who wait for their turn wait for all before them. */
const LOOKUP_MS = 10_000

type Request = {
  readonly members: Set<MemberId>
  readonly accounts: Set<MemberId>
  readonly answer: Promise<Batch>
  readonly run: () => Promise<void>
}

/** Looks up rights of many at once: those who come together, and those who come while a look-up runs. */
export class Loader {
  private readonly waiting: Request[] = []
  private running = 0

  constructor(private readonly read: ReadRights) {}

  ask({ members, accounts }: Asked): Promise<Batch> {
    const open = this.waiting.at(-1)
    const fits = open && open.members.size + open.accounts.size < AT_ONCE
    const request = fits ? open : this.request()
    for (const member of members) request.members.add(member)
    for (const member of accounts) request.accounts.add(member)
    queueMicrotask(() => this.start())
    return request.answer
  }

  private start(): void {
    while (this.running < SIDE_BY_SIDE) {
      const request = this.waiting.shift()
      if (!request) return
      this.running++
      void request.run().then(() => {
        this.running--
        this.start()
      })
    }
  }

  private request(): Request {
    const [members, accounts] = [new Set<MemberId>(), new Set<MemberId>()]
    let run = async () => {}
    const answer = new Promise<Batch>((resolve, reject) => {
      run = async () => {
        const read = this.read({ members: [...members], accounts: [...accounts] })
        const answered = withTimeout(read, LOOKUP_MS).then((found) => resolve(batchOf(members, found)))
        await answered.catch(reject)
        // A read that nobody waits for any more goes on, and has its connection.
        await read.catch(() => undefined)
      }
    })
    const request = { members, accounts, answer, run }
    this.waiting.push(request)
    return request
  }
}

function batchOf(members: ReadonlySet<MemberId>, stored: StoredRights): Batch {
  const { relationsAt, accountsAt, matched, blocked, out } = stored
  const of = new Map<MemberId, Relationships>()
  for (const member of members) {
    of.set(member, { from: relationsAt, matches: new Set(), blocks: new Set(), blockedBy: new Set() })
  }
  for (const [a, b] of matched) {
    of.get(a)?.matches.add(b)
    of.get(b)?.matches.add(a)
  }
  for (const [by, target] of blocked) {
    of.get(by)?.blocks.add(target)
    of.get(target)?.blockedBy.add(by)
  }
  return { relationsAt, accountsAt, of, out: new Set(out) }
}
