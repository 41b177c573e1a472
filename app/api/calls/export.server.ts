import { z } from 'zod'
import type { DataExport } from '../../../services/export/exports.ts'
import { askForExport } from '../../../usecases/identity/export-data.ts'
import { done } from '../../../usecases/outcome.ts'
import { exportUrl } from '../../request/export-url.ts'
import { EXPORT_WORDS } from '../../words/account-words.ts'
import { limitWorded } from '../../words/words.ts'
import { refusalsOf } from '../answer.ts'
import { defineCall } from '../call.server.ts'
import { OwnProof } from '../fields.ts'
import { notFound } from '../refusal.server.ts'
import { time } from '../shapes.ts'

const DEACTIVATED = { ok: false, status: 403, error: 'Account deactivated', code: 'deactivated' } as const
const ExportId = z.object({ id: z.string().regex(/^[0-9a-z]{20,32}$/) })
/** `url` once it is ready: the zip, for the member's own session or token, until `expiresAt`. */
const Export = z
  .object({
    id: z.string(),
    state: z.enum(['preparing', 'ready', 'failed']),
    done: z.number(),
    total: z.number(),
    askedAt: time,
    bytes: z.number().optional(),
    expiresAt: time.optional(),
    url: z.string().optional(),
  })
  .meta({ id: 'Export' })

function present({ id, state, done, total, askedAt, bytes, expiresAt }: DataExport): z.input<typeof Export> {
  const ready = bytes !== null &&
    expiresAt !== null && { bytes, expiresAt: expiresAt.toISOString(), url: exportUrl(id) }
  return { id, state, done, total, askedAt: askedAt.toISOString(), ...ready }
}

export const askExport = defineCall({
  id: 'N9',
  method: 'POST',
  path: '/account/export',
  caller: 'account',
  summary: 'Ask for a copy of the own data; with the password where the last sign-in is more than 15 minutes ago',
  body: OwnProof,
  answer: Export,
  takes: ['CRIT', 'EXPORT'],
  refusals: [DEACTIVATED, ...refusalsOf(EXPORT_WORDS)],
  admit: (me) => (me.status === 'active' ? done(null) : DEACTIVATED),
  async handle({ acting, body }) {
    const asked = await askForExport(acting, body ?? {})
    return asked.ok ? done(present(asked.value)) : limitWorded(EXPORT_WORDS, asked)
  },
})

export const findExport = defineCall({
  id: 'N9',
  method: 'GET',
  path: '/account/export/:id',
  caller: 'member',
  rate: 'READ',
  summary: 'How far a copy of the own data is, and where it can be had',
  params: ExportId,
  answer: Export,
  async handle({ context, me, params }) {
    const found = await context.exports.find(me, params.id)
    return found ? done(present(found)) : notFound()
  },
})
