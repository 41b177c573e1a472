import type { MemberId } from '../../domain/shared/ids.ts'
import type { Change } from '../../realtime/rights/changes.ts'
import type { StoredRights } from '../../realtime/rights/loader.ts'
import { Rights, type RightsLimits } from '../../realtime/rights/rights.ts'
import { positionAt } from '../support/recorded.ts'

type Kind = Change['kind']
/** A change whose position is its number in the log, from one on. */
export const change = (at: number, kind: Kind, one: MemberId, other?: MemberId): Change =>
  ({ position: positionAt(at), kind, one, ...(other && { other }) }) as Change

/** Who is matched, blocked and out after so many changes of a log: plain sets, made anew each time. */
export function stateAfter(log: readonly Change[], count: number) {
  const [matched, blocked, out] = [new Set<string>(), new Set<string>(), new Set<MemberId>()]
  const part = (a: MemberId, b: MemberId) => {
    for (const pair of [`${a} ${b}`, `${b} ${a}`]) matched.delete(pair)
  }
  for (const one of log.slice(0, count)) {
    if (one.kind === 'matched')
      for (const pair of [`${one.one} ${one.other}`, `${one.other} ${one.one}`]) matched.add(pair)
    if (one.kind === 'unmatched') part(one.one, one.other)
    if (one.kind === 'blocked') {
      part(one.one, one.other)
      blocked.add(`${one.one} ${one.other}`)
    }
    if (one.kind === 'unblocked') blocked.delete(`${one.one} ${one.other}`)
    if (one.kind === 'in') out.delete(one.one)
    if (one.kind === 'out' || one.kind === 'erased') out.add(one.one)
    if (one.kind === 'erased')
      for (const pair of [...matched]) if (pair.split(' ').includes(one.one)) matched.delete(pair)
  }
  return { matched, blocked, out }
}

const pairsOf = (pairs: ReadonlySet<string>) => [...pairs].map((pair) => pair.split(' ') as [MemberId, MemberId])

/** The rows that the two read models show after so many changes of the log each. */
export function rowsAt(log: readonly Change[], relations: number, accounts = relations): StoredRights {
  const { matched, blocked } = stateAfter(log, relations)
  return {
    relationsAt: positionAt(relations),
    accountsAt: positionAt(accounts),
    matched: pairsOf(matched),
    blocked: pairsOf(blocked),
    out: [...stateAfter(log, accounts).out],
  }
}

export type Question = { readonly members: readonly MemberId[]; answer(rows: StoredRights): void; fail(): void }

/** Rights whose questions the test answers one by one, and a node that folds a log of changes as far as it is put. */
export function startRights(log: readonly Change[], limits: Partial<RightsLimits> = {}, from = 0) {
  let head = from
  const questions: Question[] = []
  const rights = new Rights(positionAt(from), {
    readRights: ({ members }) =>
      new Promise((resolve, reject) => {
        questions.push({ members, answer: resolve, fail: () => reject(new Error('away')) })
      }),
    logLine: () => undefined,
    limits: { rightsIdleMs: 60_000, rightsIdle: 1_000, rightsChanges: 1_000, ...limits },
  })
  return {
    rights,
    questions,
    head: () => head,
    /** Folds on to the change of that number. */
    foldTo(count: number) {
      while (head < count) rights.fold(log[head++]!)
    },
  }
}

/** What waits for nothing but the answers so far has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve()
}
