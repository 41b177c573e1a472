import type pg from 'pg'
import { RecentMap } from '../writer/recent-map.ts'

const REMEMBERED = 50_000

/** A stream that gets its number, and the position of its first event. */
export type Begun = { readonly id: number; readonly stream: string; readonly born: number }

/** The numbers of streams as the one writer gives them out, from 1. A failed commit ends it: the next begins from the tables. */
export class StreamIds {
  private readonly known: RecentMap<number>
  /** Looked for and not there; until the next commit nobody else can have made them. */
  private readonly absent = new Set<string>()

  private constructor(
    private last: number,
    private readonly remembered: number,
  ) {
    this.known = new RecentMap(remembered)
  }

  static async after(db: Pick<pg.ClientBase, 'query'>, remembered = REMEMBERED): Promise<StreamIds> {
    const { rows } = await db.query<{ last: string }>('select coalesce(max(id), 0) as last from log.stream')
    return new StreamIds(Number(rows[0]!.last), remembered)
  }

  learn(streams: readonly string[], ids: readonly (number | null)[]): void {
    if (this.absent.size > this.remembered) this.absent.clear()
    streams.forEach((stream, at) => {
      const id = ids[at]
      if (id == null) this.absent.add(stream)
      else this.known.set(stream, id)
    })
  }

  /** The numbers that a group of events needs, in a map of its own: what is remembered may be forgotten meanwhile. */
  async ofGroup(writer: pg.ClientBase, streams: readonly string[]): Promise<GroupIds> {
    const group = new Map<string, number>()
    const unknown: string[] = []
    for (const stream of new Set(streams)) {
      const id = this.known.get(stream)
      if (id !== undefined) group.set(stream, id)
      else if (!this.absent.has(stream)) unknown.push(stream)
    }
    if (unknown.length) {
      const text = `select s.name, s.id from unnest($1::text[]) as asked (name) join log.stream s using (name)`
      const { rows } = await writer.query<{ name: string; id: string }>({ name: 'streams', text, values: [unknown] })
      for (const { name, id } of rows) group.set(name, Number(id))
    }
    return new GroupIds(group, () => ++this.last)
  }

  committed(group: GroupIds): void {
    this.absent.clear()
    for (const [stream, id] of group.all) this.known.set(stream, id)
  }
}

/** The numbers of all streams of one group of events, for as long as it is being written. */
export class GroupIds {
  constructor(
    readonly all: Map<string, number>,
    private readonly next: () => number,
  ) {}

  /** Gives numbers to the streams that begin here. */
  begin(events: readonly { stream: string; position: number }[]): Begun[] {
    const begun: Begun[] = []
    for (const { stream, position: born } of events) {
      if (this.all.has(stream)) continue
      const id = this.next()
      this.all.set(stream, id)
      begun.push({ id, stream, born })
    }
    return begun
  }

  of(stream: string): number {
    const id = this.all.get(stream)
    if (id === undefined) throw new Error('A stream of the group has no number.')
    return id
  }
}
