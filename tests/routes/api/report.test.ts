import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actingAs } from '../../../usecases/acting.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { addMedia } from '../../../usecases/profile/add-media.ts'
import { removeMedia } from '../../../usecases/profile/remove-media.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world?.stop())

test('a report points at what of its target it is about, and keeps that', async () => {
  const [lea, mia, noa] = [await world.member('Lea'), await world.member('Mia'), await world.member('Noa')]
  await world.match(lea, mia)
  await world.settled()
  for (let n = 0; n < 52; n++) await world.sendMessage(mia, lea, `Words ${n}`, `words-${n}`)
  await world.settled()
  const photosOf = ({ id }: Person) =>
    world.core.storage.app
      .selectFrom('media')
      .select(['id', 'blurred_id'])
      .where('owner', '=', id)
      .where('original_id', 'is', null)
      .executeTakeFirstOrThrow()
  const report = (pointed: object) =>
    world.api('/report', {
      as: lea,
      method: 'POST',
      body: JSON.stringify({ targetId: mia.id, reason: 'Rude', ...pointed }),
    })
  const [hers, another] = [await photosOf(mia), await photosOf(noa)]
  const never = world.services.newId()
  const unseen = [another.id, never].map((mediaId) => ({ mediaId }))
  for (const nothing of [...unseen, { messageId: never }, { postId: 'any' }, { commentId: 'any' }]) {
    const answer = await report(nothing)
    expect([nothing, answer.status, await answer.json()]).toEqual([nothing, 404, { error: 'Not found' }])
  }
  const stream = `report-${lea.id}_${mia.id}`
  expect(await world.core.log.read(stream)).toEqual([])
  for (const pointed of [{ mediaId: hers.id }, { mediaId: hers.blurred_id }, { messageId: 'words-0' }])
    expect((await report(pointed)).status).toBe(200)
  const kept = await world.core.codec.decode(await world.core.log.read(stream))
  expect(kept).toMatchObject([
    { media: hers.id, message: null, evidence: { profile: { photos: expect.arrayContaining([hers.id]) } } },
    { media: hers.blurred_id, message: null },
    { media: null, message: 'words-0' },
  ])
  const messages = kept.map((event) => ('evidence' in event ? (event.evidence as { messages: object[] }).messages : []))
  expect(messages.map(({ length }) => length)).toEqual([50, 50, 51])
  expect(messages[2]?.[0]).toMatchObject({ id: 'words-0', text: 'Words 0' })
})

test('a picture that its owner has taken away is still reported, whole or blurred', async () => {
  const [uma, ida] = [await world.member('Uma'), await world.member('Ida')]
  await world.match(uma, ida)
  const background = '#a43'
  const file = await sharp({ create: { width: 240, height: 300, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const uploaded = await world.services.media.upload({ owner: { member: ida.id }, purpose: 'photo', file })
  if (!uploaded.ok) throw new Error(uploaded.reason)
  const { id: media, blurredId } = uploaded.media
  const acting = actingAs(world.context, ida.id)
  expect((await addMedia(acting, { media, commandId: world.newCommand() })).ok).toBe(true)
  expect((await removeMedia(acting, { media, commandId: world.newCommand() })).ok).toBe(true)
  await world.settled()
  for (const mediaId of [media, blurredId]) {
    const body = JSON.stringify({ targetId: ida.id, reason: 'Rude', mediaId })
    expect((await world.api('/report', { as: uma, method: 'POST', body })).status).toBe(200)
  }
  const kept = await world.core.codec.decode(await world.core.log.read(`report-${uma.id}_${ida.id}`))
  expect(kept).toMatchObject([{ type: 'MemberReported', media }, { media: blurredId }])
})

test('somebody erased is still reported with a picture, which is left out; never with one of another', async () => {
  const [pia, rex, sal] = [await world.member('Pia'), await world.member('Rex'), await world.member('Sal')]
  const photoOf = async ({ id }: Person) => (await world.services.media.list({ member: id }))[0]!.id
  const [his, another] = [await photoOf(rex), await photoOf(sal)]
  const report = async (mediaId: string, as = pia) => {
    const body = JSON.stringify({ targetId: rex.id, reason: 'Rude', mediaId })
    return (await world.api('/report', { as, method: 'POST', body })).status
  }
  expect([await report(his), await report(world.services.newId())]).toEqual([200, 404])
  expect(await eraseAccount({ ...world.context, actor: rex.id }, rex.id)).toMatchObject({ ok: true })
  await world.settled()
  expect([await report(his, sal), await report(another, sal)]).toEqual([200, 404])
  const kept = await world.core.codec.decode(await world.core.log.read(`report-${sal.id}_${rex.id}`))
  expect(kept).toMatchObject([{ type: 'MemberReported', media: null }])
})
