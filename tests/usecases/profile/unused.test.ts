import { afterAll, beforeAll, expect, test } from 'vitest'
import { galleryDecider } from '../../../domain/profile/gallery.ts'
import type { MediaId, MessageId } from '../../../domain/shared/ids.ts'
import type { MediaPurpose } from '../../../domain/shared/media.ts'
import { LogUnavailable } from '../../../eventstore/log.ts'
import { createUnusedSweep } from '../../../server/tools/erasure/unused.ts'
import { sendMessage } from '../../../usecases/chat/send-message.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { addMedia } from '../../../usecases/profile/add-media.ts'
import { chooseAvatar } from '../../../usecases/profile/choose-avatar.ts'
import { removeMedia } from '../../../usecases/profile/remove-media.ts'
import { removeUnused } from '../../../usecases/profile/remove-unused.ts'
import { setVoiceIntro } from '../../../usecases/profile/set-voice-intro.ts'
import { makeClip } from '../../services/support/clips.ts'
import { jpeg } from '../../services/support/pictures.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, newCommand, SLOW_DOWN, tooFast } from '../acting.ts'

const HOUR = 3_600_000
let passed = 0
const now = () => new Date(Date.now() + passed)
let world: World
let ann: Person
beforeAll(async () => {
  world = await startWorld({ web: false, now })
  ann = await world.member('Ann')
})
afterAll(() => world.stop())

const sweep = () => createUnusedSweep({ ...world.product, now }).sweep()
async function sweepAfter(hours: number): Promise<void> {
  passed += hours * HOUR
  await sweep()
  await world.services.media.sweep()
}
async function upload(who: Person, purpose: MediaPurpose): Promise<MediaId> {
  const file = purpose === 'voice' ? await makeClip({ format: 'ogg', seconds: 1 }) : await jpeg(60, 80)
  const uploaded = await world.services.media.upload({ owner: { member: who.id }, purpose, file })
  if (!uploaded.ok) throw new Error('The upload was refused.')
  return uploaded.media.id
}
const given = (media: MediaId) => ({ media, commandId: newCommand() })
const isKept = async (id: MediaId) => (await world.services.media.find(id)) !== null
const galleryOf = (who: Person) => world.context.loadState(galleryDecider, who.id)
const added = async (who: Person): Promise<MediaId> => {
  const id = await upload(who, 'photo')
  expect(await addMedia(as(world, who), given(id))).toMatchObject({ ok: true })
  return id
}

/** Its process dies as soon as a command is in the log, or before it gets there. */
function dying(who: Person, when: 'before' | 'after'): Acting {
  const acting = as(world, who)
  const dispatch = (async (...command: Parameters<Acting['dispatch']>) => {
    if (when === 'after') await acting.dispatch(...command)
    throw new Error('killed')
  }) as Acting['dispatch']
  return { ...acting, dispatch }
}

const ENDED: Record<string, (who: Person) => Promise<MediaId>> = {
  'a voice intro that was taken away': async (who) => {
    const id = await upload(who, 'voice')
    for (const media of [id, null])
      expect(await setVoiceIntro(as(world, who), { media, commandId: newCommand() })).toMatchObject({ ok: true })
    return id
  },
  'a voice intro that a newer one replaced': async (who) => {
    const [id, newer] = [await upload(who, 'voice'), await upload(who, 'voice')]
    for (const media of [id, newer])
      expect(await setVoiceIntro(as(world, who), given(media))).toMatchObject({ ok: true })
    return id
  },
  'a picture whose removal died half way': async (who) => {
    const id = await added(who)
    await expect(removeMedia(dying(who, 'after'), given(id))).rejects.toThrow('killed')
    expect(await removeMedia(as(world, who), given(id))).toMatchObject({ reason: 'not-in-gallery' })
    return id
  },
  'a picture whose adding was refused': async (who) => {
    const id = await upload(who, 'photo')
    expect(await addMedia(tooFast(world, who), given(id))).toEqual(SLOW_DOWN)
    return id
  },
  'a picture whose adding died before it was named': async (who) => {
    const id = await upload(who, 'photo')
    await expect(addMedia(dying(who, 'before'), given(id))).rejects.toThrow('killed')
    return id
  },
}

test.each(Object.entries(ENDED))('%s is there for a day, and then its file is gone', async (_, end) => {
  const id = await end(ann)
  await sweepAfter(23)
  expect(await isKept(id)).toBe(true)
  await sweepAfter(2)
  expect([await isKept(id), await world.services.media.ownerOf(id)]).toEqual([false, ann.id])
})

test('a picture without a file leaves the gallery a day later, and is no avatar', async () => {
  const bea = await world.member('Bea')
  const id = await upload(bea, 'photo')
  const acting = dying(bea, 'after')
  const attach: typeof acting.media.attach = async (...what) => {
    const own = await acting.media.attach(...what)
    await world.services.media.remove(id, { member: bea.id })
    return own
  }
  await expect(addMedia({ ...acting, media: { ...acting.media, attach } }, given(id))).rejects.toThrow('killed')
  expect(await chooseAvatar(as(world, bea), given(id))).toMatchObject({ ok: true })
  const before = (await galleryOf(bea)).items.map(({ media }) => media)
  await sweepAfter(25)
  const { items, avatar } = await galleryOf(bea)
  expect(items.map(({ media }) => media)).toEqual(before.filter((media) => media !== id))
  expect(avatar).toBe(before[0])
})

test('a file that a command has attached anew while the sweep looks stays', async () => {
  const id = await ENDED['a voice intro that was taken away']!(ann)
  passed += 25 * HOUR
  const loadState: typeof world.context.loadState = async (...what) => {
    const state = await world.context.loadState(...what)
    if (what[1] === ann.id) await world.services.media.attach({ member: ann.id }, [{ id, purposes: ['voice'] }])
    return state
  }
  await removeUnused({ ...world.context, loadState })
  expect(await isKept(id)).toBe(true)
})

test('files of a member whose gallery the log does not know, or that cannot be read, stay and stop no other', async () => {
  const [eve, fay] = [await world.member('Eve'), await world.member('Fay')]
  const ids = [
    await ENDED['a voice intro that was taken away']!(eve),
    await ENDED['a voice intro that was taken away']!(fay),
  ]
  passed += 25 * HOUR
  const unknown: typeof world.context.loadState = async (decider, id, signal) => {
    if (id === fay.id) throw new Error('broken')
    return id === eve.id ? decider.initial : world.context.loadState(decider, id, signal)
  }
  const context = { ...world.context, loadState: unknown }
  await expect(removeUnused(context)).rejects.toThrow('broken')
  await removeUnused(context)
  expect(await Promise.all(ids.map(isKept))).toEqual([true, true])
  await sweepAfter(25)
  expect(await Promise.all(ids.map(isKept))).toEqual([false, false])
})

test('a run looks at every gallery, whichever of them cannot be read, and fails in the end', async () => {
  const [hal, ida] = [await world.member('Hal'), await world.member('Ida')]
  const readable = await ENDED['a voice intro that was taken away']!(hal)
  await ENDED['a voice intro that was taken away']!(ida)
  passed += 25 * HOUR
  let refused = 0
  const loadState: typeof world.context.loadState = async (...what) => {
    if (what[1] === hal.id) return world.context.loadState(...what)
    throw new Error(`broken ${++refused}`)
  }
  await expect(removeUnused({ ...world.context, loadState })).rejects.toThrow('broken 1')
  expect([await isKept(readable), refused > 1]).toEqual([false, true])
})

test('while the log does not answer a run ends at once, and the next one begins with the same gallery', async () => {
  passed += 25 * HOUR
  const asked: string[] = []
  const loadState: typeof world.context.loadState = async (_, id) => {
    asked.push(id)
    throw new LogUnavailable('the log does not answer')
  }
  for (let run = 0; run < 2; run++)
    await expect(removeUnused({ ...world.context, loadState })).rejects.toThrow(LogUnavailable)
  expect(asked).toEqual([asked[0], asked[0]])
})

test('a run that is over its limit is continued by the next, until every gallery has had its turn', async () => {
  passed += 25 * HOUR
  const before = new Date(now().getTime() - 24 * HOUR)
  const due = new Set((await world.services.media.listKept(before, 1_000)).map(({ member }) => member))
  const looked = new Set<string>()
  const loadState: typeof world.context.loadState = async (...what) => {
    looked.add(what[1])
    return world.context.loadState(...what)
  }
  for (let left = 1_000; left > 0 && (await world.services.media.listKept(before, 1)).length > 0; left--)
    await removeUnused({ ...world.context, loadState }, 1)
  expect([due.size > 2, looked]).toEqual([true, due])
})

test('a run looks at so many uploads, at those first that were not looked at for longest', async () => {
  const gus = await world.member('Gus')
  const { items } = await galleryOf(gus)
  passed += 25 * HOUR
  await sweep()
  passed += 25 * HOUR
  const looked: string[] = []
  const loadState: typeof world.context.loadState = async (...what) => {
    looked.push(what[1])
    return world.context.loadState(...what)
  }
  const old = await world.services.media.listKept(new Date(now().getTime() - 24 * HOUR), 1_000)
  expect(old.length).toBeGreaterThan(items.length)
  await removeUnused({ ...world.context, loadState }, 1)
  expect(new Set(looked)).toEqual(new Set([old[0]!.member]))
  const left = await world.services.media.listKept(new Date(now().getTime() - 24 * HOUR), 1_000)
  expect(left.some(({ member }) => member === old[0]!.member)).toBe(false)
  expect(left.length).toBeGreaterThan(0)
})

test('no file in use goes, however often and late the sweep comes, while all read models are behind', async () => {
  const [cat, dan] = [await world.member('Cat'), await world.member('Dan')]
  await world.match(cat, dan)
  await world.settled()
  const voice = await upload(cat, 'voice')
  await world.product.projector?.stop()
  const picture = await added(cat)
  await setVoiceIntro(as(world, cat), given(voice))
  const chat = await upload(cat, 'chat')
  const message = { to: dan.id, id: newCommand() as MessageId, text: '', media: chat }
  expect(await sendMessage(as(world, cat), message)).toMatchObject({ ok: true })
  const { items } = await galleryOf(cat)
  const inUse = [...items.map(({ media }) => media), voice, chat]
  expect(inUse).toContain(picture)
  for (let round = 0; round < 3; round++) await sweepAfter(25)
  expect(await Promise.all(inUse.map(isKept))).toEqual(inUse.map(() => true))
})
