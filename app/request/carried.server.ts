import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import type { Box } from '../../services/secrets.ts'
import type { Brought } from './context.server.ts'
import { CARRIED_MS, cookieOf, hostCookie, removed } from './cookie.server.ts'

/** A form that was sent without script when its session was over, on its way through the login (decision 0041). */
export type Carried = {
  /** Whose it is, by the form. */
  readonly member: string
  /** The page that shows it. */
  readonly path: string
  readonly fields: readonly (readonly [string, string])[]
}

export type CarriedForms = {
  /** The cookies that carry it; null where it is too large for them. */
  carry(form: Carried): Promise<readonly string[] | null>
  /** What the request brings for this member and page; `over`: it is of no more use to anybody who is here. */
  bring(request: Request, member: string, path: string): Promise<{ brought: Brought | null; over: boolean }>
  /** The cookies that remove all of it. */
  clear(): Promise<readonly string[]>
}

/** Together far less than the first lines of a request may have, also behind a proxy that takes less than Node. */
const PIECE = 3_500
const NAMES = ['__Host-typed0', '__Host-typed1'] as const
/** A form of the largest texts, many times: nothing that is opened becomes larger. */
const OPENED_MAX = 256 * 1024

const pieces = NAMES.map((name) => hostCookie(name))
const Stored = z.object({
  at: z.number(),
  path: z.string(),
  fields: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
})
type Stored = z.output<typeof Stored>

/** Sealed for one member: nobody else can open it, whoever has the browser. */
export function createCarriedForms(box: Box, now: () => Date): CarriedForms {
  const clear = () => Promise.all(pieces.map((piece) => removed(piece)))
  return {
    async carry({ member, path, fields }) {
      const stored = JSON.stringify({ at: now().getTime(), path, fields } satisfies Stored)
      const sealed = box.seal(member, deflateRawSync(stored)).toString('base64url')
      if (sealed.length > PIECE * NAMES.length) return null
      const texts = pieces.map((_, n) => sealed.slice(n * PIECE, (n + 1) * PIECE))
      return Promise.all(pieces.map((piece, n) => (texts[n] ? piece.serialize(texts[n]) : removed(piece))))
    },
    async bring(request, member, path) {
      const texts = await Promise.all(pieces.map((piece) => cookieOf(piece, request)))
      if (!texts[0]) return { brought: null, over: false }
      const form = openFor(box, member, texts.join(''))
      if (!form || form.at + CARRIED_MS < now().getTime()) return { brought: null, over: true }
      if (form.path !== path) return { brought: null, over: false }
      return { brought: { path, fields: form.fields }, over: true }
    },
    clear,
  }
}

/** Null for another member's, and for what was changed. */
function openFor(box: Box, member: string, text: string): Stored | null {
  try {
    const plain = inflateRawSync(box.open(member, Buffer.from(text, 'base64url')), { maxOutputLength: OPENED_MAX })
    return Stored.parse(JSON.parse(plain.toString()))
  } catch {
    return null
  }
}
