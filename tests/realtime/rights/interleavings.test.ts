import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { LIMITS } from '../../../realtime/limits.ts'
import type { StoredRights } from '../../../realtime/rights/loader.ts'
import { Rights } from '../../../realtime/rights/rights.ts'
import { change, type Question, rowsAt, settled, startRights, stateAfter } from '../stored-model.ts'
import { member } from '../world.ts'

const MEMBERS = ['Ann', 'Bea', 'Cat'].map((name) => member(`${name} interleaved`))
const LENGTH = 24
const KINDS = ['matched', 'unmatched', 'blocked', 'unblocked', 'matched', 'out', 'in'] as const

const who = fc.integer({ min: 0, max: MEMBERS.length - 1 })
const logs = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), one: who, step: fc.integer({ min: 1, max: 2 }) }), {
  minLength: LENGTH,
  maxLength: LENGTH,
})
const steps = fc.array(
  fc.record({
    what: fc.constantFrom('node', 'relations', 'accounts', 'enter', 'leave', 'snapshot', 'answer', 'know'),
    one: who,
    by: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 30, maxLength: 80 },
)
type Asked = Question & { rows?: StoredRights; readonly lives: ReadonlyMap<MemberId, number> }

/** A node, two read models and members who come and go, each as far as the steps took it. */
class Scene {
  private relations = 0
  private accounts = 0
  private readonly sockets = new Map<MemberId, number>()
  private readonly life = new Map<MemberId, number>()
  /** The position of the rows that a member's rights began with. */
  private readonly loadedAt = new Map<MemberId, number>()
  private readonly answers = new Set<number>([0])
  private readonly open: Asked[] = []
  private taken = 0
  private readonly started

  constructor(private readonly log: ReturnType<typeof change>[]) {
    this.started = startRights(log, { rightsIdle: 0 })
  }

  async step({ what, one, by }: { what: string; one: number; by: number }): Promise<void> {
    const { rights, head, foldTo } = this.started
    const me = MEMBERS[one]!
    const sockets = this.sockets.get(me) ?? 0
    if (what === 'node') foldTo(Math.min(LENGTH, head() + by))
    if (what === 'relations') this.relations = Math.min(LENGTH, this.relations + by)
    if (what === 'accounts') this.accounts = Math.min(LENGTH, this.accounts + by)
    if (what === 'enter') {
      if (sockets === 0) this.life.set(me, (this.life.get(me) ?? 0) + 1)
      this.sockets.set(me, sockets + 1)
      rights.enter(me).catch(() => undefined)
    }
    if (what === 'leave' && sockets > 0) {
      this.sockets.set(me, sockets - 1)
      if (sockets === 1) this.loadedAt.delete(me)
      rights.leave(me)
    }
    if (what === 'know') for (const other of MEMBERS) rights.know(me, [other]).catch(() => undefined)
    if (what === 'snapshot') this.look(one)
    if (what === 'answer') this.answer(this.open.findIndex(({ rows }) => rows))
    await settled()
    this.collect()
    this.check()
  }

  /** A look-up sees the rows some time before it answers. */
  private look(index: number): void {
    const asked = this.open.filter(({ rows }) => !rows)[index]
    if (asked) asked.rows = rowsAt(this.log, this.relations, this.accounts)
  }

  private collect(): void {
    const { questions } = this.started
    for (; this.taken < questions.length; this.taken++) {
      this.open.push({ ...questions[this.taken]!, lives: new Map(this.life) })
    }
  }

  private answer(index: number): void {
    const [asked] = index < 0 ? [] : this.open.splice(index, 1)
    if (!asked?.rows) return
    const at = Number.parseInt(asked.rows.relationsAt, 36)
    for (const me of asked.members) {
      const isHere = (this.sockets.get(me) ?? 0) > 0 && asked.lives.get(me) === this.life.get(me)
      if (isHere && !this.loadedAt.has(me)) this.loadedAt.set(me, at)
    }
    this.answers.add(Number.parseInt(asked.rows.accountsAt, 36))
    asked.answer(asked.rows)
  }

  private check(): void {
    const { rights, head } = this.started
    // A state of an account is that of where the node is, or of rows that are ahead of it.
    const accounts = [head(), ...[...this.answers].filter((at) => at > head())].map(
      (at) => stateAfter(this.log, at).out,
    )
    const mayBeActive = (one: MemberId) => accounts.some((out) => !out.has(one))
    for (const me of MEMBERS) {
      const from = this.loadedAt.get(me)
      const { matched, blocked } = stateAfter(this.log, Math.max(head(), from ?? 0))
      for (const other of MEMBERS.filter((one) => one !== me)) {
        const isBlocked = blocked.has(`${me} ${other}`) || blocked.has(`${other} ${me}`)
        const what = `${me} ${other} at ${head()} from ${from}`
        expect(rights.isMatched(me, other), what).toBe(from !== undefined && matched.has(`${me} ${other}`))
        if (!rights.unblocked(me, other)) continue
        expect([from !== undefined, isBlocked, mayBeActive(me), mayBeActive(other)], what).toEqual([
          true,
          false,
          true,
          true,
        ])
      }
    }
  }

  /** Everything has come to the end of the log: all is known, and right. */
  async finish(): Promise<void> {
    for (const what of ['node', 'relations', 'accounts']) await this.step({ what, one: 0, by: LENGTH })
    for (let one = 0; one < MEMBERS.length; one++) {
      await this.step({ what: 'enter', one, by: 1 })
      await this.step({ what: 'know', one, by: 1 })
    }
    while (this.open.length > 0) {
      for (const asked of this.open) asked.rows ??= rowsAt(this.log, LENGTH)
      await this.step({ what: 'answer', one: 0, by: 1 })
    }
    const { matched, blocked, out } = stateAfter(this.log, LENGTH)
    for (const me of MEMBERS) {
      for (const other of MEMBERS.filter((one) => one !== me)) {
        const isBlocked = blocked.has(`${me} ${other}`) || blocked.has(`${other} ${me}`)
        const isActive = !out.has(me) && !out.has(other)
        const own = [this.started.rights.unblocked(me, other), this.started.rights.open(me, other)]
        expect(own).toEqual([!isBlocked && isActive, matched.has(`${me} ${other}`) && !isBlocked && isActive])
      }
    }
  }

  stop(): void {
    this.started.rights.stop()
    for (const asked of this.open) asked.fail()
  }
}

test('whoever comes, whenever, sees what the log shows at the node or at the rows, whichever is later', async () => {
  await fc.assert(
    fc.asyncProperty(logs, steps, async (drawn, taken) => {
      const log = drawn.map(({ kind, one, step }, n) =>
        change(n + 1, kind, MEMBERS[one]!, kind === 'out' || kind === 'in' ? undefined : MEMBERS[(one + step) % 3]!),
      )
      const scene = new Scene(log)
      try {
        for (const step of taken) await scene.step(step)
        await scene.finish()
      } finally {
        scene.stop()
      }
    }),
    { numRuns: 300 },
  )
})

const NOTHING: StoredRights = { relationsAt: START, accountsAt: START, matched: [], blocked: [], out: [] }

test('members who come at once are asked about once each, however long they wait for their turn', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  const answers: (() => void)[] = []
  const readRights = ({ members }: { members: readonly unknown[] }) => {
    asked += members.length
    return new Promise<StoredRights>((resolve) => answers.push(() => resolve(NOTHING)))
  }
  const rights = new Rights(START, { limits: LIMITS, logLine: () => undefined, readRights })
  onTestFinished(() => rights.stop())
  const coming = Array.from({ length: 3_000 }, (_, number) => rights.enter(member(`m${number}`)))
  await vi.advanceTimersByTimeAsync(0)
  while (answers.length > 0) {
    await vi.advanceTimersByTimeAsync(4_000)
    for (const answer of answers.splice(0)) answer()
    await vi.advanceTimersByTimeAsync(0)
  }
  await Promise.all(coming)
  expect(asked).toBe(3_000)
})
