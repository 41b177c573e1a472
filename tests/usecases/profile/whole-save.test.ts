import { afterAll, beforeAll, expect, test } from 'vitest'
import { profiles } from '../../../projections/profiles/project.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

test('what one save shows and hides is in the rows at the same moment', async () => {
  const { pool } = world.core.storage
  const ann = await world.member('Ann')
  await world.edit(ann, { visibilityMode: 'auto' })
  await world.settled()
  await pool.query(`create table seen (mode text, photos text);
    create function see() returns trigger language plpgsql as
      $$ begin insert into public.seen values (new.visibility_mode, new.field_visibility ->> 'photos'); return new; end $$;
    create trigger see after update on p_profiles_v${profiles.version}.profile for each row execute function see()`)
  for (const [visibilityMode, photos] of [
    ['full', 'matches'],
    ['auto', 'public'],
    ['full', 'hidden'],
  ] as const) {
    await world.edit(ann, { visibilityMode, fieldVisibility: { photos } })
    await world.settled()
  }
  expect((await pool.query('select mode, photos from seen')).rows).toEqual([
    { mode: 'full', photos: 'matches' },
    { mode: 'auto', photos: 'public' },
    { mode: 'full', photos: 'hidden' },
  ])
})
