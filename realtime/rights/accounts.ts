import type { MemberId } from '../../domain/shared/ids.ts'
import { type Position, START } from '../../domain/shared/recorded.ts'
import type { AccountChange } from './changes.ts'
import type { History } from './history.ts'

/** `active` is undefined until it is known. Changes up to `from` are in it. */
type Account = { active: boolean | undefined; from: Position; readonly watchers: Set<MemberId> }
const NONE: ReadonlySet<MemberId> = new Set()

/** Whose accounts are active, of those alone whom a present member has to do with. */
export class Accounts {
  private readonly accounts = new Map<MemberId, Account>()

  constructor(private readonly history: History) {}

  get size(): number {
    return this.accounts.size
  }

  /** Undefined: not known yet, or nobody watches it. */
  isActive(member: MemberId): boolean | undefined {
    return this.accounts.get(member)?.active
  }

  /** Those that are watched and not known yet. */
  unknown(): MemberId[] {
    return [...this.accounts].flatMap(([member, { active }]) => (active === undefined ? [member] : []))
  }

  watchersOf(member: MemberId): ReadonlySet<MemberId> {
    return this.accounts.get(member)?.watchers ?? NONE
  }

  watch(member: MemberId, watcher: MemberId): void {
    const account = this.accounts.get(member)
    if (account) account.watchers.add(watcher)
    else this.accounts.set(member, { active: undefined, from: START, watchers: new Set([watcher]) })
  }

  unwatch(member: MemberId, watcher: MemberId): void {
    const account = this.accounts.get(member)
    account?.watchers.delete(watcher)
    if (account?.watchers.size === 0) this.accounts.delete(member)
  }

  /** The state in the rows of a position that the history reaches back to. */
  learn(member: MemberId, active: boolean, at: Position): void {
    const account = this.accounts.get(member)
    if (!account || (account.active !== undefined && at <= account.from)) return
    account.active = active
    account.from = at
    for (const change of this.history.after(at)) if (isOf(change, member)) apply(account, change)
  }

  fold(change: AccountChange): void {
    const account = this.accounts.get(change.one)
    if (account && account.active !== undefined && change.position > account.from) apply(account, change)
  }
}

const isOf = (change: { kind: string; one: MemberId }, member: MemberId): change is AccountChange =>
  change.one === member && (change.kind === 'out' || change.kind === 'in' || change.kind === 'erased')

function apply(account: Account, { kind }: AccountChange): void {
  account.active = kind === 'in'
}
