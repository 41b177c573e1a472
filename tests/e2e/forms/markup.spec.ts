import type { Page } from 'playwright'
import { PROOF_COOKIE, SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import { memberDecider } from '../../../domain/identity/member.ts'
import { NAME_MAX } from '../../../domain/profile/limits.ts'
import { openDraft } from '../../../usecases/register/draft.ts'
import { turnOn } from '../../support/outside/authenticator.ts'
import type { World } from '../../support/world.ts'
import { expect, hostCookie, type OpenOptions, test } from '../fixture.ts'
import { registering } from '../pages/cast.ts'
import { everyNth, inBatches, STRINGS, short } from '../pages/markup/fill.ts'
import { goWithin, type Look, lookAt, runDocuments, watch } from '../pages/markup/look.ts'
import { TYPED, type Typing, type Typist } from '../pages/markup/typed.ts'
import { signInAs } from '../pages/sign-in.ts'

/** So many strings stand in one field beside each other. */
const IN_FIELD = 20
const OPEN: OpenOptions = { refusals: true, policy: false }

/** Whoever types, with the form of each for one value. */
async function castOf(world: World) {
  const [member, other, staff, guarded] = [
    await world.member('Ann'),
    await world.member('Bea'),
    await world.member('Cid'),
    await world.member('Dot'),
  ]
  await world.match(member, other)
  await turnOn(world.services, guarded.id)
  const role = { type: 'GrantRole', member: staff.id, role: 'auditor', by: 'admin:test', at: new Date() } as const
  await world.context.dispatch(memberDecider, role, { commandId: world.newCommand(), actor: 'admin:test' })
  await world.settled()
  return { member, other, staff, guarded }
}
type Cast = Awaited<ReturnType<typeof castOf>>

/** The cookies of the browser become those of whoever types; the page that is open stays. */
async function become(page: Page, world: World, typist: Typist, cast: Cast): Promise<void> {
  const context = page.context()
  await context.clearCookies()
  if (typist === 'visitor') return
  if (typist === 'newcomer') return context.addCookies([hostCookie(world, PROOF_COOKIE, await registering(world))])
  if (typist !== 'guarded') return context.addCookies([hostCookie(world, SESSION_COOKIE, cast[typist].token)])
  const { email, password } = cast.guarded
  const body = new URLSearchParams({ email, password })
  const answer = await world.page('/login', { method: 'POST', body })
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value) await context.addCookies([hostCookie(world, name, value)])
  }
}

function expectText(typing: Typing, { path, status, wrong, isThere }: Look): void {
  expect(wrong, path).toEqual([])
  expect(status, path).toBeLessThan(500)
  if (typing.isBack) expect(isThere, `${path} has what was typed`).toBe(true)
}

/** The strings, so many to a value; the last has some that were there before. */
function valuesOf(): string[] {
  const strings = STRINGS < IN_FIELD ? everyNth(IN_FIELD).slice(0, IN_FIELD) : everyNth(STRINGS)
  return inBatches(strings, IN_FIELD).map((some) =>
    (some.length < IN_FIELD ? strings.slice(-IN_FIELD) : some).join(' '),
  )
}
const typists = Object.keys(TYPED) as Typist[]

/** Where each of them begins. */
const START: Readonly<Record<Typist, string>> = {
  visitor: '/login',
  guarded: '/login/code',
  newcomer: '/register?step=1',
  member: '/discover',
  staff: '/audit',
}

test('markup that is typed and refused is text in every page that answers it, and runs nowhere in the page that stays', async ({
  world,
  open,
}) => {
  test.setTimeout(180_000 + STRINGS * 8_000)
  const cast = await castOf(world)
  const page = await open(OPEN)
  await watch(page)
  for (const typist of typists)
    for (const value of valuesOf()) {
      const all = TYPED[typist]({ value, other: cast.other })
      await test.step(`${typist}: the pages that answer`, async () => {
        await become(page, world, typist, cast)
        if (page.url() === 'about:blank') await page.goto('/contact')
        // One after the other: a page shows what the form before it left.
        for (const typing of all) {
          const [look] = await runDocuments(page, [typing], value)
          expectText(typing, look as Look)
        }
      })
      await test.step(`${typist}: the page that stays`, async () => {
        await become(page, world, typist, cast)
        await page.goto(START[typist])
        for (const typing of all) if (!typing.plain) expectText(typing, await goWithin(page, typing, value))
      })
    }
  await test.step('a form that is back after the login', () => expectBackAfterLogin(page, cast))
})

async function expectBackAfterLogin(page: Page, { member, other }: Cast): Promise<void> {
  for (const value of valuesOf()) {
    await page.context().clearCookies()
    const path = `/report/${other.id}`
    const login = { email: member.email, password: member.password, redirectTo: path }
    await runDocuments(page, [{ path, fields: { words: value, as: member.id } }], value)
    const [look] = await runDocuments(page, [{ path: '/login', fields: login }], value)
    expectText({ path, isBack: true }, look as Look)
  }
}

test('markup in the names of whoever registers, and of a file that is refused, is text', async ({ world, open }) => {
  test.setTimeout(60_000 + STRINGS * 1_000)
  const page = await open(OPEN)
  await watch(page)
  const token = await registering(world)
  await page.context().addCookies([hostCookie(world, PROOF_COOKIE, token)])
  await page.goto('/register?step=6')
  for (const text of everyNth(STRINGS)) {
    const name = short(text, NAME_MAX)
    await world.services.proofs.changeDraft(token, (stored) => {
      const { steps, passwordHash } = openDraft(stored)
      const basics = { ...(steps.basics as NonNullable<typeof steps.basics>), firstName: name, lastName: name }
      return { steps: { ...steps, basics }, passwordHash }
    })
    const path = '/register?step=6'
    const [written] = await runDocuments(page, [{ path }], text)
    for (const look of [written as Look, await goWithin(page, { path }, text)]) expectText({ path, isBack: true }, look)
  }
  await test.step('the name of a file', async () => {
    await signInAs(page, world, await world.member('Ann'))
    await expectFileNamed(page)
  })
})

async function expectFileNamed(page: Page): Promise<void> {
  const buffer = Buffer.from('no picture')
  for (const value of valuesOf()) {
    await page.goto('/profile/gallery')
    await page.locator('#gallery-file').setInputFiles([{ name: value, mimeType: 'text/plain', buffer }])
    await expect(page.getByRole('alert').filter({ hasText: 'Unsupported file type' })).toBeVisible()
    expectText({ path: '/profile/gallery', isBack: true }, await lookAt(page, '/profile/gallery', value))
  }
}
