import { setImmediate as others } from 'node:timers/promises'
import type { Codec } from '../../../eventstore/codec.ts'
import type { KeyRing } from '../../../eventstore/keys.ts'
import type { LogPage } from '../../../eventstore/log-table.ts'
import { decodeOnce } from '../decoding.ts'
import { Turns } from '../turns.ts'
import { FillingModel, type ModelToFill } from './model.ts'

/** How long what was folded may stay unwritten, and about how much of it may be in memory. */
export type BulkLimits = {
  readonly writeEveryMs?: number | undefined
  readonly bytesInMemory?: number | undefined
}

export type PassDeps = { readonly codec: Codec; readonly keys: Pick<KeyRing, 'forget'> } & BulkLimits

/** A read model that goes with a pass; `leave` is called once, at its head or with what keeps it from there. */
export type Passenger = ModelToFill & { readonly leave: (error?: unknown) => void }

/** Of all read models of a pass together; rows are written and let go beyond it. */
const BYTES_IN_MEMORY = 192 * 1024 ** 2
/** Events that look for their rows together, once rows are not all in memory. */
const LOADED_AT_ONCE = 2_000
/** A filling that is killed loses no more work than this. */
const WRITE_EVERY_MS = 10_000

/**
 * Brings read models forward together: each page of the log is read and decoded once, and folded in memory by all whom it
 * concerns. What changed is written every few seconds, each read model in transactions of its own. One that cannot take an
 * event, or its rows, leaves, and writes before that what it has taken; the others go on.
 */
export async function runPass(
  deps: PassDeps,
  passengers: readonly Passenger[],
  pages: AsyncIterable<LogPage>,
): Promise<void> {
  const pass = new Pass(deps, passengers)
  try {
    for await (const page of gathered(pages, () => pass.least)) {
      await pass.take(page)
      if (pass.empty) return
    }
    await pass.finish()
  } catch (error) {
    await pass.leaveAll(error)
  }
}

/** Joins pages until they contain so many events: what is loaded from the database is asked for by many at once. */
async function* gathered(pages: AsyncIterable<LogPage>, least: () => number): AsyncGenerator<LogPage> {
  let joined: LogPage | undefined
  for await (const page of pages) {
    const passed = (joined?.passed ?? 0) + page.passed
    joined = { events: joined ? [...joined.events, ...page.events] : page.events, to: page.to, passed }
    if (joined.events.length < least()) continue
    yield joined
    joined = undefined
  }
  if (joined) yield joined
}

class Pass {
  private readonly models: Map<FillingModel, Passenger>
  private readonly most: number
  private readonly writeEveryMs: number
  private writtenAt = performance.now()

  constructor(
    private readonly deps: PassDeps,
    passengers: readonly Passenger[],
  ) {
    // One at a time: the database has as much to do as it can with one.
    const turns = new Turns()
    this.models = new Map(passengers.map((one) => [new FillingModel(one, turns), one]))
    this.most = deps.bytesInMemory ?? BYTES_IN_MEMORY
    this.writeEveryMs = deps.writeEveryMs ?? WRITE_EVERY_MS
  }

  get empty(): boolean {
    return this.models.size === 0
  }

  get least(): number {
    return [...this.models.keys()].every(({ whole }) => whole) ? 0 : LOADED_AT_ONCE
  }

  /** What is folded, and with it what is on its way to the database. */
  private get bytes(): { readonly folded: number; readonly all: number } {
    let [folded, all] = [0, 0]
    for (const { bytes, onTheirWay } of this.models.keys()) {
      folded += bytes
      all += bytes + onTheirWay
    }
    return { folded, all }
  }

  async take({ events: stored, to, passed }: LogPage): Promise<void> {
    const events = stored.length > 0 ? await decodeOnce(this.deps.codec, this.deps.keys, stored) : []
    await this.each(async (model) => {
      await model.take({ events, to, passed }).catch(async (error: unknown) => {
        await model.keep()
        throw error
      })
      if (model.ended) await this.leave(model)
    })
    const due = performance.now() - this.writtenAt > this.writeEveryMs
    if (due || this.bytes.folded > this.most / 2) await this.write()
  }

  /** Half of the memory is for what is folded, half for what is on its way to the database. */
  private async write(): Promise<void> {
    if (this.bytes.all > this.most) await this.each((model) => model.written())
    if (this.bytes.folded > this.most / 2) this.letGo()
    await this.each((model) => model.write())
    this.writtenAt = performance.now()
  }

  /** The largest tables first. */
  private letGo(): void {
    const all = [...this.models.keys()].flatMap(({ inMemory }) => inMemory).sort((a, b) => b.bytes - a.bytes)
    let { folded } = this.bytes
    for (const { bytes, letGo } of all) {
      if (folded <= this.most / 4) return
      letGo()
      folded -= bytes
    }
  }

  /** The log has no more. */
  finish(): Promise<void> {
    return this.each((model) => this.leave(model))
  }

  private async leave(model: FillingModel): Promise<void> {
    await model.finish()
    this.models.get(model)!.leave()
    this.models.delete(model)
  }

  /** One that looks for rows keeps no other from its work; one that fails leaves with its error. */
  private async each(work: (model: FillingModel) => Promise<void>): Promise<void> {
    const under: Promise<void>[] = []
    for (const [model, { leave }] of this.models) {
      const failed = async (error: unknown) => {
        this.models.delete(model)
        await model.quiet()
        leave(error)
      }
      under.push(work(model).catch(failed))
      // What is being written goes on between two read models.
      await others()
    }
    await Promise.all(under)
  }

  async leaveAll(error: unknown): Promise<void> {
    await this.each(async (model) => {
      await model.keep()
      throw error
    })
  }
}
