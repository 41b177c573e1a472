import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROOF_COOKIE } from '../../../app/request/session-cookie.server.ts'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { createLogger } from '../../../services/log.ts'
import { serveWeb } from '../../support/described/serve-web.ts'
import { newcomer } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'

/** What is asked before a page's own work begins. */
const PARTS = ['the limit of an address', 'the look at a session', 'the database'] as const
type Part = (typeof PARTS)[number]

let world: World
const servers = new Map<Part, HttpServer>()
beforeAll(async () => {
  world = await startWorld()
  for (const part of PARTS) servers.set(part, await startWithout(part))
})
afterAll(async () => {
  for (const server of servers.values()) await server.close()
  await world.stop()
})

/** Pages of the same world in which this part fails. */
function startWithout(part: Part): Promise<HttpServer> {
  const { product, config } = world
  const fails = async (): Promise<never> => {
    throw new Error('Broken by a test.')
  }
  const { limits, sessions, proofs } = product.services
  const services = {
    ...product.services,
    ...(part === 'the limit of an address' && { limits: { ...limits, take: fails, peek: fails } }),
    ...(part === 'the look at a session' && {
      sessions: { ...sessions, find: fails, admit: fails },
      proofs: { ...proofs, find: fails },
    }),
  }
  const read = new Proxy(product.core.storage.read, {
    get(whole, name) {
      const found: unknown = Reflect.get(whole, name)
      if (name === 'executeQuery') return fails
      return typeof found === 'function' ? found.bind(whole) : found
    },
  })
  const storage = { ...product.core.storage, read }
  const core = part === 'the database' ? { ...product.core, storage } : product.core
  const logger = createLogger({ level: 'silent' })
  return serveWeb({
    product: { ...product, core, services },
    config,
    port: 0,
    publicUrl: world.publicUrl,
    now: () => new Date(),
    logger,
  })
}

type Sent = { readonly path: string; readonly cookie: string; readonly body: FormData | URLSearchParams }

/** As a browser sends a form without script. */
async function send({ port }: HttpServer, { path, cookie, body }: Sent, foreign?: string) {
  const own = `http://localhost:${port}`
  const headers = { Origin: foreign ?? own, Accept: 'text/html', Cookie: cookie }
  const answer = await fetch(own + path, { method: 'POST', headers, body, redirect: 'manual' })
  return { status: answer.status, html: await answer.text(), cache: answer.headers.get('Cache-Control') }
}

async function basics(): Promise<Sent> {
  const { signupToken } = await newcomer(world)
  const body = new URLSearchParams({
    firstName: 'Annabel',
    lastName: 'Typed-this',
    password: 'violet-otter-43-lamp',
    confirm: 'violet-otter-43-lamp',
    go: 'on',
  })
  return { path: '/register?step=1', cookie: `${PROOF_COOKIE}=${signupToken}`, body }
}

async function contact(): Promise<Sent> {
  const { signupToken } = await newcomer(world)
  const body = new FormData()
  body.append('phone', '+47 912 34 567')
  body.append('voice', new File([new Uint8Array(100)], 'me <3.mp3'))
  return { path: '/register?step=5', cookie: `${PROOF_COOKIE}=${signupToken}`, body }
}

/** The read models are asked for members alone: a visitor's sign-up is looked up with its proof. */
const ofVisitors = PARTS.filter((part) => part !== 'the database')

test.each(ofVisitors)('the first step of a sign-up comes back without its password where %s fails', async (part) => {
  const { status, html } = await send(servers.get(part)!, await basics())
  expect([status, html.includes('Typed-this'), html.includes('Back to the form')]).toEqual([500, true, true])
  expect(html).not.toContain('violet-otter')
})

test.each(ofVisitors)('a step with a file comes back with what the file is called where %s fails', async (part) => {
  const { status, html } = await send(servers.get(part)!, await contact())
  expect([status, html.includes('+47 912 34 567'), html.includes('me &#60;3.mp3')]).toEqual([500, true, true])
})

test.each(PARTS)('a report comes back to be sent again where %s fails, and is stored by nothing', async (part) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const body = new URLSearchParams({ words: 'She asked for money' })
  const sent = { path: `/report/${bea.id}`, cookie: ann.cookie, body }
  const { status, html, cache } = await send(servers.get(part)!, sent)
  expect([status, html.includes('She asked for money'), html.includes('Send again')]).toEqual([500, true, true])
  expect(cache).toContain('no-store')
})

test.each(PARTS)('a form of a foreign page is given back to nobody where %s fails', async (part) => {
  const { status, html } = await send(servers.get(part)!, await basics(), 'https://foreign.example')
  expect([status, html.includes('Typed-this')]).toEqual([403, false])
})
