import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaId } from '../../../domain/shared/ids.ts'
import type { MediaPurpose } from '../../../domain/shared/media.ts'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { addMedia } from '../../../usecases/profile/add-media.ts'
import { addUploads } from '../../../usecases/profile/add-uploads.ts'
import { chooseAvatar } from '../../../usecases/profile/choose-avatar.ts'
import { removeMedia } from '../../../usecases/profile/remove-media.ts'
import { setAvatar } from '../../../usecases/profile/set-avatar.ts'
import { setMediaPrivacy } from '../../../usecases/profile/set-media-privacy.ts'
import { setVoiceIntro } from '../../../usecases/profile/set-voice-intro.ts'
import { makeClip } from '../../services/support/clips.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, newCommand, SLOW_DOWN, tooFast } from '../acting.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

const picture = () =>
  sharp({ create: { width: 60, height: 80, channels: 3, background: '#3a7' } })
    .png()
    .toBuffer()
async function upload(who: Person, purpose: MediaPurpose, file: Buffer): Promise<MediaId> {
  const uploaded = await world.services.media.upload({ owner: { member: who.id }, purpose, file })
  if (!uploaded.ok) throw new Error('The upload was refused.')
  return uploaded.media.id
}
const photo = async (who: Person) => upload(who, 'photo', await picture())
const galleryOf = async (who: Person) => {
  await world.settled()
  const { media, avatar } = await getSelf(world.read, who.id, new Date())
  return { ids: media.map(({ id }) => id as MediaId), avatar: media.find(({ url }) => url === avatar)?.id, media }
}
const typesOf = async (who: Person) => (await world.core.log.read(`gallery-${who.id}`)).map(({ type }) => type)
const given = (media: MediaId) => ({ media, commandId: newCommand() })

test('an upload goes into the gallery once, and only where it is the member’s own', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const mine = await photo(ann)
  for (const _ of [1, 2]) expect(await addMedia(as(world, ann), given(mine))).toMatchObject({ ok: true })
  expect((await galleryOf(ann)).ids.filter((id) => id === mine)).toHaveLength(1)
  expect(await addMedia(as(world, bea), given(mine))).toEqual({ ok: false, reason: 'invalid-media' })
  expect(await addMedia(tooFast(world, ann), given(mine))).toEqual(SLOW_DOWN)
})

test('several uploads are added up to the first that is refused', async () => {
  const [cat, dan] = [await world.member('Cat'), await world.member('Dan')]
  const [first, theirs, last] = [await photo(cat), await photo(dan), await photo(cat)]
  const add = (uploads: MediaId[], asAvatar = false) =>
    addUploads(as(world, cat), { uploads, asAvatar, commandId: newCommand() })
  expect(await add([first, theirs, last])).toEqual({ ok: false, reason: 'invalid-media' })
  expect((await galleryOf(cat)).ids).toHaveLength(3)
  expect(await add([first, last])).toMatchObject({ ok: true })
  expect(await add([last], true)).toMatchObject({ ok: true })
  expect(await galleryOf(cat)).toMatchObject({ avatar: last, ids: { length: 4 } })
})

test('a picture becomes the avatar, from the gallery or straight from an upload', async () => {
  const eve = await world.member('Eve')
  const { ids } = await galleryOf(eve)
  const second = ids[1]!
  for (const _ of [1, 2]) expect(await chooseAvatar(as(world, eve), given(second))).toMatchObject({ ok: true })
  expect((await galleryOf(eve)).avatar).toBe(second)
  const fresh = await photo(eve)
  expect(await chooseAvatar(as(world, eve), given(fresh))).toMatchObject({ reason: 'not-in-gallery' })
  expect(await setAvatar(as(world, eve), given(fresh))).toMatchObject({ ok: true })
  expect((await galleryOf(eve)).avatar).toBe(fresh)
  const before = await typesOf(eve)
  expect(await setAvatar(as(world, eve), given(fresh))).toMatchObject({ ok: true })
  expect(await typesOf(eve)).toEqual(before)
})

test('a video is no avatar', async () => {
  const fay = await world.member('Fay')
  const video = await upload(fay, 'photo', await makeClip({ format: 'mp4', seconds: 1 }))
  expect(await setAvatar(as(world, fay), given(video))).toMatchObject({ reason: 'avatar-must-be-image' })
})

test('a picture that is removed and added at once is in the gallery with its file, or not at all', async () => {
  const zoe = await world.member('Zoe')
  for (const when of ['before its file goes', 'after its file went', 'while it is added'] as const) {
    const id = await photo(zoe)
    expect(await addMedia(as(world, zoe), given(id))).toMatchObject({ ok: true })
    const acting = as(world, zoe)
    const add = () => addMedia(as(world, zoe), given(id))
    const remove: typeof acting.media.remove = async (...what) => {
      if (when === 'before its file goes') await add()
      const gone = await acting.media.remove(...what)
      if (when === 'after its file went') await add()
      return gone
    }
    const attach: typeof acting.media.attach = async (...what) => {
      const own = await acting.media.attach(...what)
      await removeMedia(as(world, zoe), given(id))
      return own
    }
    if (when === 'while it is added') {
      const late = { ...acting, media: { ...acting.media, attach } }
      expect(await addMedia(late, given(id))).toMatchObject({ ok: false, reason: 'invalid-media' })
    } else await removeMedia({ ...acting, media: { ...acting.media, remove } }, given(id))
    const there = (await world.services.media.find(id)) !== null
    expect([when, (await galleryOf(zoe)).ids.includes(id)]).toEqual([when, there])
  }
})

test('a picture is closed to others and opened again, but never the avatar', async () => {
  const gus = await world.member('Gus')
  const [avatar, other] = (await galleryOf(gus)).ids as [MediaId, MediaId]
  const set = (media: MediaId, privacy: 'public' | 'private') =>
    setMediaPrivacy(as(world, gus), { ...given(media), privacy })
  for (const _ of [1, 2]) expect(await set(other, 'private')).toMatchObject({ ok: true })
  expect((await galleryOf(gus)).media.map(({ privacy }) => privacy)).toEqual(['public', 'private'])
  expect(await set(other, 'public')).toMatchObject({ ok: true })
  expect((await typesOf(gus)).filter((type) => type === 'MediaPrivacyChanged')).toHaveLength(2)
  expect(await set(avatar, 'private')).toMatchObject({ reason: 'avatar-stays-public' })
  expect(await chooseAvatar(as(world, gus), given(other))).toMatchObject({ ok: true })
})

test('a change of privacy, avatar or voice sent again after its reverse is made again, and else is one', async () => {
  const jan = await world.member('Jan')
  const [first, other] = (await galleryOf(jan)).ids as [MediaId, MediaId]
  const voice = await upload(jan, 'voice', await makeClip({ format: 'ogg', seconds: 1 }))
  const privacy = (to: 'public' | 'private', commandId: string) =>
    setMediaPrivacy(as(world, jan), { media: other, privacy: to, commandId })
  const avatar = (media: MediaId, commandId: string) => chooseAvatar(as(world, jan), { media, commandId })
  const intro = (media: MediaId | null, commandId: string) => setVoiceIntro(as(world, jan), { media, commandId })
  await intro(voice, newCommand())
  for (const [act, reverse] of [
    [(id: string) => privacy('private', id), () => privacy('public', newCommand())],
    [(id: string) => avatar(other, id), () => avatar(first, newCommand())],
    [(id: string) => intro(null, id), () => intro(voice, newCommand())],
  ] as const) {
    const [old, before] = [newCommand(), (await typesOf(jan)).length]
    for (let round = 0; round < 2; round++) {
      for (const _ of [1, 2]) expect(await act(old)).toMatchObject({ ok: true })
      expect(await reverse()).toMatchObject({ ok: true })
    }
    expect((await typesOf(jan)).length - before).toBe(4)
  }
})

test('a picture is removed with its bytes, and the last photo stays', async () => {
  const hal = await world.member('Hal')
  const [first, second] = (await galleryOf(hal)).ids as [MediaId, MediaId]
  expect(await removeMedia(as(world, hal), given(first))).toMatchObject({ ok: true })
  expect(await world.services.media.find(first)).toBeNull()
  expect(await galleryOf(hal)).toMatchObject({ ids: [second], avatar: second })
  expect(await removeMedia(as(world, hal), given(first))).toMatchObject({ reason: 'not-in-gallery' })
  expect(await removeMedia(as(world, hal), given(second))).toMatchObject({ reason: 'last-photo' })
  expect(await world.services.media.find(second)).not.toBeNull()
})

test('a voice intro is set and taken away, each once', async () => {
  const ivy = await world.member('Ivy')
  const voice = await upload(ivy, 'voice', await makeClip({ format: 'ogg', seconds: 1 }))
  const set = (media: MediaId | null) => setVoiceIntro(as(world, ivy), { media, commandId: newCommand() })
  for (const media of [voice, voice, null, null]) expect(await set(media)).toMatchObject({ ok: true })
  expect((await typesOf(ivy)).slice(-2)).toEqual(['VoiceIntroSet', 'VoiceIntroRemoved'])
  expect(await set(await photo(ivy))).toEqual({ ok: false, reason: 'invalid-media' })
})
