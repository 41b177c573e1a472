import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROOF_COOKIE } from '../../../app/request/session-cookie.server.ts'
import { END, field } from '../../services/support/forms.ts'
import { newcomer } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'

type Newcomer = Awaited<ReturnType<typeof newcomer>>

let world: World
let [ann, bea]: Newcomer[] = []
beforeAll(async () => {
  world = await startWorld()
  ;[ann, bea] = [await newcomer(world), await newcomer(world)]
}, 240_000)
afterAll(() => world?.stop())

const OTHER = 'This page was opened for another address. Nothing was sent.'
const WORDS = 'Words of Ann alone'
const cookieOf = (who: Newcomer | undefined) => `${PROOF_COOKIE}=${who?.signupToken}`
const open = (path: string, who: Newcomer | undefined) => world.page(path, { headers: { Cookie: cookieOf(who) } })
const send = (path: string, who: Newcomer | undefined, body: BodyInit, headers: Record<string, string> = {}) =>
  world.page(path, { method: 'POST', body, headers: { Cookie: cookieOf(who), ...headers } })
const draftOf = async (who: Newcomer | undefined) =>
  JSON.stringify((await world.services.proofs.find(who?.signupToken ?? ''))?.draft ?? null)

/** What a page of the wizard names its sign-up by. */
async function nameOf(who: Newcomer | undefined, step = 1): Promise<string> {
  const page = await (await open(`/register?step=${step}`, who)).text()
  return page.match(/name="as" value="([^"]+)"/)?.[1] ?? 'none'
}

test('a page of the wizard names its sign-up, by nothing that tells whose it is', async () => {
  const [one, other] = [await nameOf(ann), await nameOf(bea)]
  expect(one).toMatch(/^[0-9a-f-]{36}$/)
  expect(one).not.toBe(other)
  // A browser that comes back to it knows its form again as that of this sign-up.
  expect(await (await open('/register?step=1', ann)).text()).toContain(`name="as-${one}"`)
  const { proofs } = world.services
  const proof = await proofs.find(ann?.signupToken ?? '')
  for (const secret of [proof?.id, proof?.emailKey, ann?.signupToken]) expect(one).not.toContain(String(secret))
  const again = await proofs.issue({ email: ann?.email ?? '', emailKey: proof?.emailKey ?? '' })
  expect(await nameOf({ ...(ann as Newcomer), signupToken: again.token })).toBe(one)
})

test.each(['plain', 'with files', 'too long'])(
  'a form (%s) of another sign-up is refused, does nothing and shows nothing',
  async (how) => {
    const [as, before] = [await nameOf(ann), await draftOf(bea)]
    const fields = { as, firstName: how === 'too long' ? WORDS + 'x'.repeat(70_000) : WORDS, go: 'on' }
    const parts = Object.entries(fields).map(([name, value]) => field(name, value))
    const [body, type] =
      how === 'with files'
        ? [new Uint8Array(Buffer.concat([...parts, END])), 'multipart/form-data; boundary=b']
        : [new URLSearchParams(fields), 'application/x-www-form-urlencoded']
    for (const path of ['/register?step=1', '/register.data?step=1']) {
      const answer = await send(path, bea, body, { 'Content-Type': type })
      const text = await answer.text()
      expect([path, answer.status, text.includes(OTHER), text.includes(WORDS)]).toEqual([path, 409, true, false])
    }
    expect(await draftOf(bea)).toBe(before)
  },
)

test('the page that answers it is that of the sign-up under way, or leads to it where that is not as far', async () => {
  const as = await nameOf(ann)
  const here = await (await send('/register?step=1', bea, new URLSearchParams({ as, go: 'on' }))).text()
  expect(here).toContain(`name="as" value="${await nameOf(bea)}"`)
  const ahead = await send('/register?step=5', bea, new URLSearchParams({ as, phone: WORDS, go: 'on' }))
  const page = await ahead.text()
  expect([ahead.status, page.includes(OTHER), page.includes(WORDS)]).toEqual([409, true, false])
  expect(page).toContain('href="/register?step=1"')
})

test('what is typed is kept for its own sign-up alone', async () => {
  const as = await nameOf(ann)
  const draft = () => new URLSearchParams({ as, firstName: WORDS })
  expect((await send('/register/draft?step=1', bea, draft())).status).toBe(409)
  expect(await draftOf(bea)).not.toContain(WORDS)
  expect((await send('/register/draft?step=1', ann, draft())).status).toBe(204)
  expect(await draftOf(ann)).toContain(WORDS)
})

test('a file is taken for the sign-up, or the member, whose page sends it, and for nobody else', async () => {
  const [cid, dot] = [await world.member('Cid'), await world.member('Dot')]
  const plain = sharp({ create: { width: 300, height: 400, channels: 3, background: '#c84' } })
  const picture = new Uint8Array(await plain.jpeg().toBuffer())
  const upload = async (as: string, headers: Record<string, string>) => {
    const body = new FormData()
    body.set('file', new Blob([picture]), 'a.jpg')
    const answer = await world.page(`/media-upload?purpose=photo&as=${as}`, { method: 'POST', body, headers })
    const { error } = (await answer.json()) as { error?: string }
    return [answer.status, error]
  }
  const beas = { Cookie: cookieOf(bea) }
  const before = await world.services.media.list({ proof: bea?.proof ?? '' })
  expect(await upload(await nameOf(ann), beas)).toEqual([409, OTHER])
  expect(await world.services.media.list({ proof: bea?.proof ?? '' })).toEqual(before)
  expect(await upload(await nameOf(bea), beas)).toEqual([200, undefined])
  const dots = { Cookie: `__Host-buzz=${dot.token}` }
  expect(await upload(cid.id, dots)).toEqual([409, 'This page was opened as another member. Nothing was sent.'])
  expect(await upload(dot.id, dots)).toEqual([200, undefined])
})
