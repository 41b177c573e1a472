import { afterAll, beforeAll, expect, test } from 'vitest'
import { listMatches } from '../../projections/relations/queries.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const HERE = '/notifications'
type Fields = Record<string, string>

/** Ann, whom Bea and Cat buzzed. */
async function inbox() {
  const [ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  await world.buzz(bea, ann)
  await world.buzz(cat, ann)
  await world.settled()
  return { ann, bea, cat }
}
const open = async (as: Person) => {
  await world.settled()
  return (await world.page(HERE, { as })).text()
}
const send = (as: Person, fields: Fields) => world.page(HERE, { as, method: 'POST', body: new URLSearchParams(fields) })
const answerTo = async (as: Person, fields: Fields) => {
  const answer = await send(as, fields)
  return { status: answer.status, to: answer.headers.get('Location'), html: await answer.text() }
}
/** The row about somebody: the last part of the page that links to them. */
const rowOf = (html: string, about: Person) =>
  (/aria-label="Your notifications">(.*)<\/ul>/s.exec(html)?.[1] ?? '')
    .split('<li ')
    .find((row) => row.includes(`/block/${about.id}`))
const isUnread = (html: string, about: Person) => rowOf(html, about)?.includes('>unread</span>')
/** What a browser sends that presses the button, with no script; null where there is no such button. */
function pressed(html: string | undefined, intent: string): Fields | null {
  const forms = html?.match(/<form .*?<\/form>/gs) ?? []
  const form = forms.find((one) => one.includes(`name="intent" value="${intent}"`))
  const hidden = form?.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)
  return hidden ? { ...Object.fromEntries([...hidden].map(([, name, value]) => [name, value])), intent } : null
}
const press = (html: string | undefined, intent: string): Fields =>
  pressed(html, intent) ?? expect.fail(`There is no button for ${intent}.`)

test('a row is opened: it leads to who it is about and is read from then on', async () => {
  const { ann, bea, cat } = await inbox()
  const before = await open(ann)
  expect([isUnread(before, bea), isUnread(before, cat)]).toEqual([true, true])
  const { status, to } = await answerTo(ann, press(rowOf(before, cat), 'open'))
  expect([status, to]).toEqual([302, `/viewprofile/${cat.id}`])
  const after = await open(ann)
  expect([isUnread(after, bea), isUnread(after, cat)]).toEqual([true, false])
})

test('a row is marked read, and has no button for that any more', async () => {
  const { ann, bea, cat } = await inbox()
  const { status, to } = await answerTo(ann, press(rowOf(await open(ann), bea), 'read'))
  expect([status, to]).toEqual([302, HERE])
  const after = await open(ann)
  expect([isUnread(after, bea), isUnread(after, cat)]).toEqual([false, true])
  expect(pressed(rowOf(after, bea), 'read')).toBeNull()
})

test('a row is removed, again quietly, and the others stay', async () => {
  const { ann, bea, cat } = await inbox()
  const remove = press(rowOf(await open(ann), bea), 'remove')
  for (const _ of [1, 2]) {
    const { status, to } = await answerTo(ann, remove)
    expect([status, to]).toEqual([302, HERE])
    const after = await open(ann)
    expect([rowOf(after, bea), isUnread(after, cat)]).toEqual([undefined, true])
  }
})

test('all are marked read up to what the page showed; what came since is unread', async () => {
  const { ann, bea, cat } = await inbox()
  const readAll = press(await open(ann), 'read-all')
  const dan = await world.member('Dan')
  await world.buzz(dan, ann)
  await world.settled()
  const { status, to } = await answerTo(ann, readAll)
  expect([status, to]).toEqual([302, HERE])
  const after = await open(ann)
  expect([bea, cat, dan].map((one) => isUnread(after, one))).toEqual([false, false, true])
  await send(ann, press(after, 'read-all'))
  expect(pressed(await open(ann), 'read-all')).toBeNull()
})

test('a buzz is matched back once: it leads to the match, and the row to the chat', async () => {
  const { ann, bea, cat } = await inbox()
  const back = press(rowOf(await open(ann), bea), 'match-back')
  const { status, to } = await answerTo(ann, back)
  expect([status, to]).toEqual([302, `/match/${bea.id}`])
  const after = await open(ann)
  expect((await listMatches(world.read, ann.id)).items).toMatchObject([{ id: bea.id }])
  expect(pressed(rowOf(after, bea), 'match-back')).toBeNull()
  expect(pressed(rowOf(after, cat), 'match-back')).not.toBeNull()
  const again = await answerTo(ann, back)
  expect([again.status, again.html.includes('already matched with this user!')]).toEqual([400, true])
})

test('a notification that is unknown or somebody else’s is neither opened, read nor removed', async () => {
  const { ann, bea, cat } = await inbox()
  const { id = '' } = press(rowOf(await open(ann), cat), 'read')
  for (const intent of ['open', 'read', 'remove'])
    for (const [as, asked] of [
      [bea, id],
      [ann, crypto.randomUUID()],
      [ann, 'x'],
      [ann, ''],
    ] as const) {
      const { status, html } = await answerTo(as, { intent, id: asked })
      expect([intent, asked, status, html.includes('Not found')]).toEqual([intent, asked, 404, true])
    }
  const after = await open(ann)
  expect([isUnread(after, bea), isUnread(after, cat)]).toEqual([true, true])
})

test('who is unknown is not matched back, and the page says that it did not work', async () => {
  const ann = await world.member('Ann')
  for (const [from, status, words] of [
    ['0'.repeat(24), 404, 'Could not accept match right now.'],
    [ann.id, 400, 'Could not accept match right now.'],
    ['x', 400, 'Invalid request.'],
  ] as const) {
    const answer = await answerTo(ann, { intent: 'match-back', from })
    expect([from, answer.status, answer.html.includes(words)]).toEqual([from, status, true])
  }
})

test('the page does nothing that it has no button for: a block is asked for on its own page', async () => {
  const { ann, bea } = await inbox()
  const { status, html } = await answerTo(ann, { intent: 'block', from: bea.id })
  expect([status, html.includes('Invalid request.')]).toEqual([400, true])
  expect(rowOf(await open(ann), bea)).toContain(`href="/block/${bea.id}"`)
})

test('each empty list of notifications has its own sentence', async () => {
  const nobody = await world.member('Nobody')
  const sentences = []
  for (const list of ['', '?type=buzz', '?type=match']) {
    const html = await (await world.page(HERE + list, { as: nobody })).text()
    sentences.push(/<p>([^<]* shows up here[^<]*)<\/p>/.exec(html)?.[1])
  }
  expect(sentences).toEqual([
    'When someone buzzes you, or you match, it shows up here.',
    'When someone buzzes you, it shows up here until you answer.',
    'When you and someone buzz each other, it shows up here.',
  ])
})
