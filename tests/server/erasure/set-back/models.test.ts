import { afterEach, beforeEach, expect, test } from 'vitest'
import { valueOr } from '../../../../domain/shared/personal.ts'
import { createProjector } from '../../../../projections/engine/engine.ts'
import { type Projection, put, remove, type Table } from '../../../../projections/projection.ts'
import type { Config } from '../../../../server/config.ts'
import { until } from '../../../support/until.ts'
import { erase, rolesBut, type SetBackWorld, startSetBackWorld, typesOf } from './set-back-world.ts'

const word: Table<{ member: string; first_name: string }> = {
  name: 'word',
  columns: { member: 'text collate "C" not null', first_name: 'text not null' },
  key: ['member'],
}
/** A read model of a release that was rolled back. */
const words: Projection = {
  name: 'words',
  version: 1,
  tables: [word],
  when: {
    ProfileStarted: ({ member, firstName }) => [put(word, { member, first_name: valueOr(firstName, '') })],
    AccountErased: ({ member }) => [remove(word, { member })],
  },
}

let rig: SetBackWorld
beforeEach(async () => {
  rig = await startSetBackWorld({ roles: rolesBut('reactors') })
})
afterEach(() => rig.stop())

/** It has shown what is in the log, and nobody feeds it any more. */
async function fillOther(): Promise<void> {
  const { log, codec, keys, storage } = rig.world.core
  const deps = { log, codec, keys, pool: storage.pool, now: () => new Date(), report: () => undefined }
  const other = createProjector({ ...deps, projections: [words] })
  await other.start()
  expect(await other.waitFor(await log.head(), undefined, 20_000)).toBe(true)
  await other.stop()
}

const refusal = (product: Parameters<typeof erase>[0], member: Parameters<typeof erase>[1]) =>
  until('it is certified, or refused for the words', () =>
    erase(product, member).then(
      () => 'certified',
      ({ message }: Error) => message.includes('words') && message,
    ),
  )

test.each<[string, Config['roles']]>([
  ['with a projector', rolesBut('reactors')],
  ['without one', rolesBut('reactors', 'projector')],
])(
  'a start %s notes the tables of another release that the log was set back behind, and nobody in them is certified',
  async (_, roles) => {
    const { world, pool } = rig
    const [eve, fay] = [await world.member('Eve'), await world.member('Fay')]
    const before = await world.core.log.head()
    for (const bio of ['one', 'two', 'three', 'four']) await world.edit(fay, { bio })
    await world.settled()
    await fillOther()
    await rig.setBack(before)
    const product = await rig.start(roles)
    const { rows } = await pool.query(`select epoch from app.projection where name = 'words'`)
    expect(rows).toEqual([{ epoch: `${await product.core.log.id()} before it was set back` }])
    // Nobody is certified before somebody fills the product's own.
    const feeding = product.projector ? product : await rig.start(rolesBut('reactors'))
    expect(await refusal(feeding, eve.id)).toMatch(/^Tables of .*words.* are behind/)
    expect(await typesOf(feeding, eve.id)).not.toContain('ErasureCertified')
    expect((await pool.query('select from p_words_v1.word where member = $1', [eve.id])).rowCount).toBe(1)
  },
)
