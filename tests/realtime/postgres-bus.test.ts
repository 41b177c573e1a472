import { expect, onTestFinished, test } from 'vitest'
import { createPostgresBus } from '../../realtime/postgres-bus.ts'
import { freshDatabase } from '../support/fresh-database.ts'
import { wayTo } from '../support/servers/way-to.ts'
import { until } from '../support/until.ts'

test.each(['hears', 'is heard'] as const)(
  'a node whose network fell silent %s again, over another connection',
  async (how) => {
    const { config, drop } = await freshDatabase()
    onTestFinished(drop)
    const { silence, ...address } = await wayTo(config)
    const lines: string[] = []
    const buses = [
      createPostgresBus({ ...config, ...address }, (line) => void lines.push(line), { beatMs: 100, answerMs: 400 }),
      createPostgresBus(config, () => undefined),
    ] as const
    onTestFinished(async () => void (await Promise.all(buses.map((bus) => bus.close()))))
    const [speaker, listener] = how === 'hears' ? [buses[1], buses[0]] : buses
    let heard = 0
    const seat = speaker.join(() => undefined)
    listener.join(() => void heard++)
    const isHeard = () => {
      if (heard === 0) seat.send({ type: 'hello', node: 'n' })
      return heard > 0
    }
    await until('a word arrives', isHeard)
    silence()
    await until('it has left the connection', () => lines.length > 0)
    heard = 0
    await until('a word arrives again', isHeard)
    expect(lines).toEqual(['realtime: the bus lost its connection, and makes another'])
  },
)
