import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** The page's text as it reads: React separates words by empty comments. */
const open = async (path: string, as: Person) =>
  (await (await world.page(path, { as })).text()).replaceAll('<!-- -->', '')
const send = (path: string, as: Person, fields: Record<string, string>) =>
  world.page(path, { as, method: 'POST', body: new URLSearchParams(fields) })
const pair = async () => {
  const people = [await world.member('Ann'), await world.member('Bea')] as const
  await world.match(...people)
  await world.settled()
  return people
}

test('none of the reasons of a report is a duty: own words alone are one', async () => {
  const [ann, bea] = await pair()
  const page = await open(`/report/${bea.id}`, ann)
  const radios = page.match(/<input[^>]*type="radio"[^>]*>/g) ?? []
  expect([radios.length, radios.some((one) => one.includes('required'))]).toEqual([7, false])
  expect((await send(`/report/${bea.id}`, ann, { words: 'Own words' })).status).toBe(302)
})

test('a report needs a reason, keeps what was typed, and is thanked with its id and an offer to block', async () => {
  const [ann, bea] = await pair()
  await world.sendMessage(bea, ann, 'Send me money', 'm-1')
  await world.settled()
  const path = `/report/${bea.id}?message=m-1`
  const empty = await send(path, ann, { words: '  ' })
  expect([empty.status, (await empty.text()).includes('A reason is required.')]).toEqual([400, true])
  const long = await send(path, ann, { words: 'y'.repeat(1001) })
  const text = await long.text()
  expect([long.status, text.includes('y'.repeat(1001)), text.includes('at most 1,000')]).toEqual([400, true, true])
  const fields = { quick: 'Asks for money or sells something', words: 'A link in the second line' }
  const sent = await send(path, ann, fields)
  const to = sent.headers.get('Location') ?? ''
  expect(to).toMatch(new RegExp(`^/report/${bea.id}\\?sent=[0-9a-z]{20,32}$`))
  const thanks = await open(to, ann)
  for (const shown of [to.slice(-20), 'Thank you for telling us', 'Block Bea']) expect(thanks).toContain(shown)
  const kept = await world.core.codec.decode(await world.core.log.read(`report-${ann.id}_${bea.id}`))
  expect(kept.map((event) => [event?.type, event?.type === 'MemberReported' && event.message])).toEqual([
    ['MemberReported', 'm-1'],
  ])
})

test('a report that began in a chat leads back there, also by the block that it offers, while there is one', async () => {
  const [ann, bea] = await pair()
  const sent = await send(`/report/${bea.id}?from=chat`, ann, { words: 'Own words' })
  const to = sent.headers.get('Location') ?? ''
  expect(to).toMatch(new RegExp(`^/report/${bea.id}\\?sent=[0-9a-z]{20,32}&from=chat$`))
  const thanks = await open(to, ann)
  expect(thanks).toContain('Back to the chat')
  for (const href of [`/chat/${bea.id}#newest`, `/block/${bea.id}?from=chat`])
    expect(thanks).toContain(`href="${href}"`)
  expect(await open(to.replace('&from=chat', ''), ann)).not.toContain('Back to the chat')
  await send(`/block/${bea.id}`, ann, { intent: 'confirm' })
  await world.settled()
  expect(await open(to, ann)).not.toContain('Back to the chat')
})

test('the page takes a reason as long as the call does, and stops at one character more', async () => {
  const [ann, bea] = await pair()
  const path = `/report/${bea.id}`
  expect(await open(path, ann)).toContain('0 / 1000')
  const quick = 'May be under 18'
  const room = 1000 - `${quick}: `.length
  const called = async (reason: string) => {
    const body = JSON.stringify({ targetId: bea.id, reason })
    return (await world.api('/report', { as: ann, method: 'POST', body })).status
  }
  for (const [length, chosen] of [
    [1000, ''],
    [room, quick],
  ] as const) {
    const over = await send(path, ann, { quick: chosen, words: 'y'.repeat(length + 1) })
    expect([over.status, await called('y'.repeat(1001))]).toEqual([400, 400])
    expect(await over.text()).toContain('A reason can have at most 1,000 characters, including the one chosen above.')
    const taken = await send(path, ann, { quick: chosen, words: ` ${'y'.repeat(length)} ` })
    expect([taken.status, await called('y'.repeat(1000))]).toEqual([302, 200])
  }
})
