import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { apiCalls } from './calls.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world?.stop())
const call = apiCalls(() => world)

const self = async (who: Person) => (await call('/users/me', { as: who, method: 'GET' })).json
const change = async (who: Person, intent: string, media: string) => {
  const body = new URLSearchParams({ intent, media, commandId: world.newCommand() })
  const { status } = await world.page('/profile/gallery', { as: who, method: 'POST', body })
  await world.settled()
  return status
}
/** What a match gets as the avatar of a member, fetched as any client would. */
async function avatarSeenBy(viewer: Person, owner: Person): Promise<[string, number]> {
  const { json } = await call('/matches', { as: viewer, method: 'GET' })
  const { avatar } = json.matches.find(({ id }: { id: string }) => id === owner.id)
  const headers = { Authorization: `Bearer ${viewer.token}` }
  return [avatar, (await fetch(`${world.url}${avatar}`, { headers })).status]
}

test.each(['by the page', 'by the call'])(
  'a private picture chosen as avatar is one that a match can see, %s',
  async (way) => {
    const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
    await world.match(ann, bea)
    await world.settled()
    const { media } = await self(ann)
    expect(await change(ann, 'private', media[1].id)).toBe(302)
    if (way === 'by the page') await change(ann, 'avatar', media[1].id)
    else await call('/users/me', { as: ann, method: 'PUT', body: { avatar: media[1].url } })
    await world.settled()
    const own = await self(ann)
    const avatar = own.media.find(({ url }: { url: string }) => url === own.avatar)
    expect.soft(avatar.privacy, 'api-contract C74: the avatar is never private').toBe('public')
    const [url, status] = await avatarSeenBy(bea, ann)
    expect([url, status]).toEqual([url, 200])
  },
)

test('a deleted avatar opens no private picture; once its owner has, a match sees the next one', async () => {
  const [cat, dan] = [await world.member('Cat'), await world.member('Dan')]
  await world.match(cat, dan)
  await world.settled()
  const { media } = await self(cat)
  expect(await change(cat, 'private', media[1].id)).toBe(302)
  expect(await change(cat, 'delete', media[0].id)).toBe(400)
  expect((await world.page(media[1].url, { as: dan })).status).toBe(404)
  expect(await change(cat, 'public', media[1].id)).toBe(302)
  expect(await change(cat, 'delete', media[0].id)).toBe(302)
  const [url, status] = await avatarSeenBy(dan, cat)
  expect([url, status]).toEqual([url, 200])
})
