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

test('a block asks first, leads home, shows the Unblock screen, and unblocking does not restore the match', async () => {
  const [ann, bea] = await pair()
  expect(await open(`/block/${bea.id}`, ann)).toContain('Block Bea?')
  expect((await send(`/block/${bea.id}`, ann, { intent: 'confirm' })).headers.get('Location')).toBe(
    `/?blocked=${bea.id}&matched`,
  )
  await world.settled()
  expect(await open(`/viewProfile/${bea.id}`, ann)).toContain('You blocked Bea')
  expect(await open('/profile/privacy', ann)).toContain('Bea')
  const back = `/viewProfile/${bea.id}`
  const undone = await send(`/block/${bea.id}`, ann, { intent: 'unblock', back })
  expect(undone.headers.get('Location')).toBe(back)
  await world.settled()
  expect(await open(back, ann)).toContain('Profile locked')
  expect(await open('/profile/privacy', ann)).toContain('No one blocked.')
})

test('home names who was blocked, and unblocked by the command of its address, and nobody else', async () => {
  const [ann, bea] = await pair()
  const cy = await world.member('Cy')
  await send(`/block/${bea.id}`, ann, { intent: 'confirm' })
  await world.settled()
  const note = await open(`/?blocked=${bea.id}`, ann)
  expect(note).toContain('You blocked Bea.')
  expect(note, 'nothing lies over it').not.toContain('class="splash"')
  const [, back = ''] = /name="back" value="([^"]+)"/.exec(note) ?? []
  const [, commandId = ''] = /name="commandId" value="([^"]+)"/.exec(note) ?? []
  expect(back).toBe(`/?unblocked=${bea.id}`)
  const to = `${back}&command=${commandId}`
  expect(await open(to, ann)).not.toContain('Unblocked')
  const undone = await send(`/block/${bea.id}`, ann, { intent: 'unblock', back, commandId })
  expect(undone.headers.get('Location')).toBe(to)
  await world.settled()
  expect(await open(to, ann)).toContain('Unblocked Bea.')
  for (const [path, as] of [
    [`/?unblocked=${bea.id}`, ann],
    [`/?unblocked=${cy.id}`, ann],
    [to.replace(bea.id, cy.id), ann],
    [to, cy],
    [to.replace(bea.id, ann.id), ann],
    [to.replace(bea.id, ann.id), bea],
  ] as const)
    expect(await open(path, as)).not.toContain('Unblocked')
  await world.block(bea, ann)
  await world.settled()
  expect(await open(to, ann)).not.toContain('Bea')
  for (const path of [to, `/?blocked=${bea.id}`]) {
    const visited = await fetch(`${world.url}${path}`, { redirect: 'manual' })
    expect(visited.status).toBe(200)
    expect(await visited.text()).not.toContain('Bea')
  }
})

test('a new name of somebody who blocked the member is on no page and in no answer, also after blocking back', async () => {
  const [ann, bea] = await pair()
  await world.block(bea, ann)
  expect(
    (await world.api('/users/me', { as: bea, method: 'PUT', body: JSON.stringify({ firstName: 'Newname' }) })).status,
  ).toBe(200)
  await send(`/block/${bea.id}`, ann, { intent: 'confirm' })
  await world.settled()
  const pages = [`/viewProfile/${bea.id}`, `/block/${bea.id}`, `/report/${bea.id}`, `/?blocked=${bea.id}`]
  const texts = await Promise.all([...pages, '/profile/privacy'].map((path) => open(path, ann)))
  for (const path of [`/users/${bea.id}`, '/blocks']) texts.push(await (await world.api(path, { as: ann })).text())
  expect(texts.filter((text) => /Newname|Bea/.test(text))).toEqual([])
  expect([texts[0], texts[1], texts[3]].map((text) => text?.includes('You blocked this member'))).toEqual([
    true,
    true,
    true,
  ])
  expect(texts[4]).toContain('Somebody')
  await send(`/block/${bea.id}`, ann, { intent: 'unblock' })
  await world.settled()
  expect(await open('/profile/privacy', ann)).toContain('No one blocked.')
})

test('the room of a match that ended is closed, in the same words as one that never was', async () => {
  const [ann, bea] = await pair()
  await world.block(bea, ann)
  await world.settled()
  const cy = await world.member('Cy')
  for (const other of [bea, cy]) {
    const room = await world.page(`/chat/${other.id}`, { as: ann })
    expect([room.status, (await room.text()).includes('This conversation is closed')]).toEqual([404, true])
  }
})

test('a way back out of an unblock stays on this site', async () => {
  const [ann, bea] = await pair()
  await world.block(ann, bea)
  const undone = await send(`/block/${bea.id}`, ann, { intent: 'unblock', back: '//evil.example' })
  expect(undone.headers.get('Location')).toBe('/profile/privacy')
})

test('who unblocks somebody that another tab unblocked hears so, and gets back to where it was pressed', async () => {
  const [ann, bea] = await pair()
  const back = '/profile/privacy?after=7#blocked'
  const answer = await send(`/block/${bea.id}`, ann, { intent: 'unblock', back })
  const text = (await answer.text()).replaceAll('<!-- -->', '')
  expect([answer.status, text.includes('Bea is not blocked'), text.includes('Block Bea?')]).toEqual([404, true, false])
  expect(text).toContain(`href="${back}"`)
  const astray = await send(`/block/${bea.id}`, ann, { intent: 'unblock', back: '//evil.example' })
  expect(await astray.text()).not.toMatch(/href="[^"]*evil/)
})

test('an unblock that is refused says why, and the next try leads back to where it was pressed', async () => {
  const [ann, bea] = await pair()
  const [commandId, back] = [crypto.randomUUID(), '/profile/privacy?after=7#blocked']
  await send(`/block/${bea.id}`, ann, { intent: 'confirm', commandId })
  await world.settled()
  // The id of another command.
  const refused = await send(`/block/${bea.id}`, ann, { intent: 'unblock', commandId, back })
  const text = await refused.text()
  expect([refused.status, text.includes('That did not go through. Please try again.')]).toEqual([409, true])
  expect(text).toContain(`name="back" value="${back}"`)
})

test('unmatching leads to the own profile and ends the match; who is no match has nothing to end', async () => {
  const [ann, bea] = await pair()
  expect(await open(`/unmatch/${bea.id}`, ann)).toContain('Unmatch Bea?')
  const commandId = crypto.randomUUID()
  const to = (await send(`/unmatch/${bea.id}`, ann, { commandId })).headers.get('Location') ?? ''
  expect(to).toBe(`/profile?unmatched=${bea.id}&command=${commandId}`)
  await world.settled()
  expect(await open(to, ann)).toContain('You and Bea are no longer matched.')
  const locked = await open(`/viewProfile/${bea.id}`, ann)
  expect(locked).toContain('Profile locked')
  expect(locked).not.toContain('Buzz to Unlock')
  expect((await world.page(`/unmatch/${bea.id}`, { as: ann })).headers.get('Location')).toBe(`/viewProfile/${bea.id}`)
  expect((await send(`/unmatch/${bea.id}`, ann, {})).headers.get('Location')).toBe(`/viewProfile/${bea.id}`)
})

test('the own profile names whom the command of its address unmatched, and nobody else', async () => {
  const [ann, bea] = await pair()
  const cy = await world.member('Cy')
  const commandId = crypto.randomUUID()
  const to = (await send(`/unmatch/${bea.id}`, ann, { commandId })).headers.get('Location') ?? ''
  await world.settled()
  for (const [path, as] of [
    [`/profile?unmatched=${bea.id}`, ann],
    [to.replace(commandId, crypto.randomUUID()), ann],
    [to.replace(bea.id, cy.id), ann],
    [to.replace(bea.id, ann.id), ann],
    [to.replace(bea.id, ann.id), bea],
    [to, cy],
  ] as const)
    expect(await open(path, as), path).not.toContain('no longer matched')
  expect(await open(to, ann)).toContain('You and Bea are no longer matched.')
  await world.account(bea, 'Suspend')
  await world.settled()
  expect(await open(to, ann)).not.toContain('Bea')
  await world.account(bea, 'Reinstate')
  await world.block(bea, ann)
  await world.settled()
  expect(await open(to, ann)).not.toContain('Bea')
})

test('a command of another kind unmatched and unblocked nobody, by whichever address', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const commandId = crypto.randomUUID()
  await send('/discover?index', ann, { intent: 'buzz', to: bea.id, commandId, as: ann.id })
  await world.settled()
  await world.buzz(bea, ann)
  await world.unmatch(bea, ann)
  await world.settled()
  const named = [
    await open(`/profile?unmatched=${bea.id}&command=${commandId}`, ann),
    await open(`/?unblocked=${bea.id}&command=${commandId}`, ann),
  ]
  expect(named.map((text) => /no longer matched|Unblocked/.test(text))).toEqual([false, false])
})

test('what is asked before a block, an unmatch or a report leads back to the room that it was opened from', async () => {
  const [ann, bea] = await pair()
  const room = await open(`/chat/${bea.id}`, ann)
  const back = async (path: string) =>
    [
      ...(await open(path, ann)).matchAll(
        /<a[^>]*href="(\/(?:chat|viewProfile)\/[^"]*)"[^>]*>(?:(?!<\/a>).)*(Back|Cancel)/g,
      ),
    ].map(([, to, name]) => [name, to])
  for (const page of ['block', 'unmatch', 'report']) {
    const link = `/${page}/${bea.id}?from=chat`
    expect(room).toContain(`href="${link}"`)
    const [chat, profile] = [`/chat/${bea.id}#newest`, `/viewProfile/${bea.id}`]
    expect([page, await back(link)]).toEqual([
      page,
      [
        ['Back', chat],
        ['Cancel', chat],
      ],
    ])
    expect([page, await back(link.replace('?from=chat', ''))]).toEqual([
      page,
      [
        ['Back', profile],
        ['Cancel', profile],
      ],
    ])
  }
  expect((await back(`/block/${bea.id}?from=//evil.example`)).map(([, to]) => to)).toEqual([
    `/viewProfile/${bea.id}`,
    `/viewProfile/${bea.id}`,
  ])
})

test('nobody can be blocked, unmatched or reported under an unknown id', async () => {
  const [ann] = await pair()
  for (const path of ['block', 'unmatch', 'report'])
    expect((await world.page(`/${path}/${'0'.repeat(24)}`, { as: ann })).status).toBe(404)
})

test('deactivating signs out everywhere and hides; signing in again leads to Manage Account and back', async () => {
  const [ann, bea] = await pair()
  const asked = await open('/settings/delete?confirm=deactivate', ann)
  expect(asked).toContain('Are you sure you want to deactivate your account?')
  const gone = await send('/settings/delete', ann, { intent: 'deactivate' })
  expect([gone.headers.get('Location'), gone.headers.getSetCookie().some((one) => /^__Host-buzz=;/.test(one))]).toEqual(
    ['/?deactivated', true],
  )
  await world.settled()
  expect((await world.page('/profile', { as: ann })).headers.get('Location')).toBe('/login')
  expect((await world.page(`/viewProfile/${ann.id}`, { as: bea })).status).toBe(403)

  const { token } = await world.services.sessions.create({ member: ann.id, remember: false, label: 'Another' })
  const back: Person = { ...ann, token, cookie: ann.cookie.replace(ann.token, token) }
  expect((await world.page('/discover', { as: back })).headers.get('Location')).toBe('/settings/delete')
  const page = await open('/settings/delete', back)
  expect([page.includes('Your account is deactivated'), page.includes('Permanently Delete')]).toEqual([true, true])
  expect(await open('/settings/delete', back)).toContain('Reactivate')
  expect((await send('/settings/delete', back, { intent: 'reactivate' })).headers.get('Location')).toBe(
    '/settings/delete?welcome',
  )
  await world.settled()
  expect((await world.page(`/viewProfile/${ann.id}`, { as: bea })).status).toBe(200)
})

test('a second deactivation is refused', async () => {
  const cat = await world.member('Cat')
  await world.account(cat, 'Deactivate')
  await world.settled()
  const answer = await send('/settings/delete', cat, { intent: 'deactivate' })
  expect([answer.status, (await answer.text()).includes('Could not deactivate account.')]).toEqual([409, true])
})
