import type pg from 'pg'
import { until } from '../../support/until.ts'
import { type ProjectorChild, type ProjectorProcess, startProjectorProcess } from '../projector-child.ts'

const HANDED_OVER_MS = 30_000

/** A process, by the id under which it takes leases. */
type One = { readonly id: string; readonly release: number; readonly process: ProjectorProcess }

/** Projectors of one release or of two, each a process of its own. */
export class Fleet {
  private all: One[] = []
  /** Deaths by `kill -9`; those that left leases, and how many of these others took. */
  readonly counted = { kills: 0, handovers: 0, leases: 0 }

  constructor(
    private readonly pool: pg.Pool,
    private readonly given: ProjectorChild,
  ) {}

  async start(release: number): Promise<void> {
    const known = await this.processes()
    const process = await startProjectorProcess({ ...this.given, release })
    const id = await until(
      'it takes part',
      async () => (await this.processes()).find((one) => !known.includes(one)),
      HANDED_OVER_MS,
    )
    this.all.push({ id, release, process })
  }

  private async processes(): Promise<string[]> {
    return (await this.pool.query<{ process: string }>('select process from app.projector')).rows.map(
      (row) => row.process,
    )
  }

  /** But those of paused read models, which a process that starts meanwhile does not want. */
  private async leasesOf(id: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ name: string }>(
      'select name from app.projection_lease where process = $1 and name not in (select name from app.projection_pause)',
      [id],
    )
    return rows.map(({ name }) => name)
  }

  /** Kills whoever feeds most, waits until others have it all, and starts another one in its place. */
  async killHolder(): Promise<void> {
    const parts = await Promise.all(this.all.map(async (one) => ({ one, leases: await this.leasesOf(one.id) })))
    const { one, leases } = parts.sort((a, b) => b.leases.length - a.leases.length)[0]!
    await this.kill(one)
    if (leases.length > 0) await this.handedOver(one, leases)
    await this.start(one.release)
  }

  private async handedOver({ id }: One, leases: readonly string[]): Promise<void> {
    const taken = async () =>
      (await this.pool.query('select from app.projection_lease where name = any($1) and process <> $2', [leases, id]))
        .rowCount === leases.length
    await until('others have its leases', taken, HANDED_OVER_MS)
    this.counted.handovers++
    this.counted.leases += leases.length
  }

  /** The one of a release that is there for longest. */
  async killOf(release: number): Promise<void> {
    const one = this.all.find((other) => other.release === release)
    if (one) await this.kill(one)
  }

  private async kill(one: One): Promise<void> {
    this.all = this.all.filter((other) => other !== one)
    await one.process.kill()
    this.counted.kills++
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.splice(0).map(({ process }) => process.kill()))
  }
}
