import type { World } from '../world.ts'
import type { Person } from '../world-people.ts'
import type { Claims, FakeGoogle } from './google.ts'

/** A member who signs in with Google and has no password, and what Google vouches for of them. */
export async function memberOfGoogle(
  world: World,
  fake: FakeGoogle,
  name: string,
): Promise<{ person: Person; claims: Claims }> {
  const person = await world.member(name)
  const claims = { sub: name, email: person.email }
  const identity = await world.services.google!.verify(await fake.idToken(claims))
  const known = { google_key: identity!.googleKey, password_hash: null }
  await world.core.storage.app.updateTable('credential').set(known).where('member', '=', person.id).execute()
  return { person, claims }
}

export const cookiesOf = (response: Response) => response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)

/** Where a page leads by itself, as its link does. */
export async function leadsTo(response: Response): Promise<string | undefined> {
  const html = await response.text()
  const [, on] = /<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(html) ?? []
  return html.includes(`<a href="${on}">`) ? on?.replaceAll('&amp;', '&') : undefined
}

export type Way = { from?: string; nonce?: string; redirectTo?: string }

/** A visitor's way to Google and back, with whatever they agree to there. */
export async function visitGoogle(
  world: World,
  fake: FakeGoogle,
  claims: Claims,
  { from = 'login', nonce, redirectTo = '/' }: Way = {},
) {
  const body = new URLSearchParams({ from, redirectTo })
  const start = await world.page('/auth/google', { method: 'POST', body })
  const to = new URL(start.headers.get('Location') ?? '')
  const code = fake.code({ ...claims, nonce: nonce ?? to.searchParams.get('nonce') ?? '' })
  const state = to.searchParams.get('state') ?? ''
  const headers = { Cookie: cookiesOf(start).join('; ') }
  const back = (query: string, as = headers, signal?: AbortSignal) =>
    world.page(`/auth/google/callback?${query}`, { headers: as, ...(signal && { signal }) })
  const finish = (signal?: AbortSignal) => back(new URLSearchParams({ state, code }).toString(), headers, signal)
  return { start, to, state, code, back, finish }
}
