import { afterAll, beforeAll, expect, test } from 'vitest'
import { profileDecider } from '../../domain/profile/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { createDispatch } from '../../eventstore/dispatch.ts'
import { StateCache } from '../../eventstore/state-cache.ts'
import { memberId, started, T0 } from '../support/people.ts'
import { appTemplate } from '../support/templates/app.ts'
import { as, type Rig, startRig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig(appTemplate)
})
afterAll(() => rig.stop())

/** A process in which a member is erased once the log has answered, or what it gave is decoded: behind that nothing asks for a key. */
function process() {
  let erasing: MemberId | null = null
  const erase = async () => {
    const whose = erasing
    erasing = null
    if (whose) await rig.keys.destroy(whose)
  }
  const codec: typeof rig.codec = {
    ...rig.codec,
    decode: (stored) => rig.codec.decode(stored).finally(() => erase()),
  }
  const append: typeof rig.log.append = (...asked) => rig.log.append(...asked).finally(() => erase())
  const log = { ...rig.log, append }
  return {
    ...createDispatch({ log, codec, keys: rig.keys }),
    erasingMeanwhile: (whose: MemberId) => {
      erasing = whose
    },
  }
}

const edited = (member: MemberId, bio: string) => ({ type: 'EditProfile' as const, member, changes: { bio }, at: T0 })

test.each<[string, string, (one: ReturnType<typeof process>, whose: MemberId) => Promise<unknown>]>([
  ['read from its beginning', 'Eve', (one, whose) => one.loadState(profileDecider, whose)],
  ['read for a page', 'Fay', (one, whose) => one.loadState(profileDecider, whose, new AbortController().signal)],
  [
    'read on from what is known',
    'Gia',
    async (one, whose) => {
      await one.loadState(profileDecider, whose)
      await rig.process().dispatch(profileDecider, edited(whose, 'a secret'), as(whose))
      one.erasingMeanwhile(whose)
      await one.loadState(profileDecider, whose)
    },
  ],
  [
    'written',
    'Hal',
    async (one, whose) => {
      await one.loadState(profileDecider, whose)
      one.erasingMeanwhile(whose)
      await one.dispatch(profileDecider, edited(whose, 'a secret'), as(whose))
    },
  ],
])('a stream that is %s while its member is erased is not kept in memory', async (_, name, fold) => {
  const whose = memberId(name)
  const one = process()
  const { type: _type, ...answers } = started(name)
  await rig.process().dispatch(profileDecider, { ...answers, type: 'StartProfile' } as never, as(whose))
  if (name === 'Eve' || name === 'Fay') one.erasingMeanwhile(whose)
  await fold(one, whose)
  const state = JSON.stringify(await one.loadState(profileDecider, whose))
  expect(state).not.toContain(name)
  expect(state).not.toContain('a secret')
})

test('what was forgotten too long ago to be known by name counts as forgotten', () => {
  const cache = new StateCache(1)
  const since = cache.forgotten
  cache.forget('ann')
  expect([cache.isForgotten('pair-ann_bea', since), cache.isForgotten('pair-bea_cat', since)]).toEqual([true, false])
  expect(cache.isForgotten('pair-ann_bea', cache.forgotten)).toBe(false)
  for (let n = 0; n < 10_000; n++) cache.forget(`m${n}`)
  expect(cache.isForgotten('pair-ann_bea', since)).toBe(true)
  expect(cache.isForgotten('pair-ann_bea', cache.forgotten)).toBe(false)
})
