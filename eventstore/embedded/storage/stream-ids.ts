import type pg from 'pg'
import { RecentMap } from '../writer/recent-map.ts'

const REMEMBERED = 50_000

/** The numbers of streams as the one writer gives them out, from 1. A failed commit ends it: the next begins from the tables. */
export class StreamIds {
  private readonly known = new RecentMap<number>(REMEMBERED)
  /** Looked for and not there; until the next commit nobody else can have made them. */
  private readonly absent = new Set<string>()

  private constructor(private last: number) {}

  static async after(db: Pick<pg.ClientBase, 'query'>): Promise<StreamIds> {
    const { rows } = await db.query<{ last: string }>('select coalesce(max(id), 0) as last from log.stream')
    return new StreamIds(Number(rows[0]!.last))
  }

  learn(streams: readonly string[], ids: readonly (number | null)[]): void {
    if (this.absent.size > REMEMBERED) this.absent.clear()
    streams.forEach((stream, at) => {
      const id = ids[at]
      if (id == null) this.absent.add(stream)
      else this.known.set(stream, id)
    })
  }

  /** Looks for those that are not known. */
  async load(writer: pg.ClientBase, streams: readonly string[]): Promise<void> {
    const unknown = [...new Set(streams)].filter((stream) => this.of(stream) === undefined && !this.absent.has(stream))
    if (!unknown.length) return
    const text = `select s.id from unnest($1::text[]) with ordinality as asked (name, place)
      left join log.stream s using (name) order by place`
    const { rows } = await writer.query<{ id: string | null }>({ name: 'streams', text, values: [unknown] })
    this.learn(
      unknown,
      rows.map(({ id }) => (id === null ? null : Number(id))),
    )
  }

  of(stream: string): number | undefined {
    return this.known.get(stream)
  }

  /** The number of a stream that has none yet. */
  give(stream: string): number {
    const id = ++this.last
    this.known.set(stream, id)
    return id
  }

  committed(): void {
    this.absent.clear()
  }
}
