import pg from 'pg'

/** A query asked this often by a process is worth a plan that every connection keeps. */
const ASKED_OFTEN = 20
/** A connection keeps no more plans than this; a text that varies, by the length of a list, takes no slot for long. */
const KEPT = 200
const FEATURE_NOT_SUPPORTED = '0A000'

/** The names of the queries of a process that are asked often, by their text. */
class Names {
  private readonly asked = new Map<string, number>()
  private readonly names = new Map<string, string>()
  private made = 0

  nameOf(text: string): string | undefined {
    const name = this.names.get(text)
    if (name || this.names.size >= KEPT || !/^select\b/i.test(text)) return name
    const times = (this.asked.get(text) ?? 0) + 1
    if (times < ASKED_OFTEN) {
      if (this.asked.size > KEPT * ASKED_OFTEN) this.asked.clear()
      this.asked.set(text, times)
      return undefined
    }
    this.asked.delete(text)
    return this.rename(text)
  }

  /** A new name for a text whose answer has other columns than when it was prepared. */
  rename(text: string): string {
    const name = `asked-${++this.made}`
    this.names.set(text, name)
    return name
  }
}

/**
 * A client class for pools that parses and plans the queries asked often once per connection, not at each call. A view
 * that gains columns, as a rebuild may swap one in, makes a prepared query fail: it is prepared anew and asked again. A
 * query whose best plan depends on its values begins with a comment, not with `select`, and is planned each time.
 */
export function preparingClient(): typeof pg.Client {
  const names = new Names()
  class Preparing extends pg.Client {
    override query(...args: unknown[]): never {
      const ask = (config: unknown, ...rest: unknown[]) =>
        (super.query as (...all: unknown[]) => unknown)(config, ...rest) as never
      const [text, values, callback] = args
      if (typeof text !== 'string' || !Array.isArray(values) || callback) return ask(...(args as [unknown]))
      const name = names.nameOf(text)
      if (!name) return ask(text, values)
      const again = (error: unknown) => {
        if (!(error instanceof pg.DatabaseError) || error.code !== FEATURE_NOT_SUPPORTED) throw error
        return ask({ name: names.rename(text), text, values })
      }
      return (ask({ name, text, values }) as Promise<unknown>).catch(again) as never
    }
  }
  return Preparing
}
