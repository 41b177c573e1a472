import { UNBLOCK } from '../../../app/routes/block.$userId/unblock-form.ts'
import { SECTIONS as EDIT } from '../../../app/routes/profile_.edit/sections.server.ts'
import { VOICE_INTENTS } from '../../../app/routes/profile_.edit/voice.server.ts'
import { SECTIONS as PRIVACY } from '../../../app/routes/profile_.privacy/sections.server.ts'
import { STEPS } from '../../../domain/identity/sign-up-steps.ts'
import { sources } from '../../architecture/source.ts'
import { PAGE_ROWS } from '../matrix/page-rows.ts'

/** By what the forms of one page differ: a field of theirs, or of the address. */
type Names = { readonly [name in 'intent' | 'section']?: readonly string[] }

const PERSON = { intent: ['buzz', 'withdraw'] }
const CONFIRMED = { intent: ['confirm'] }
const REVEAL = { intent: ['reveal'] }

/** The forms of the pages that have several, or one with a name. A name that the sources have and this has not fails a test. */
const NAMES: Readonly<Record<string, Names>> = {
  '/forgot-password': { intent: ['request', 'reset'] },
  '/signup': { intent: ['send', 'verify'] },
  '/dev/gallery/overlays': { intent: ['delete'] },
  '/discover': { intent: ['buzz', 'skip', 'undo', 'withdraw', 'place', 'vibe'] },
  '/notifications': { intent: ['open', 'read', 'remove', 'read-all', 'match-back'] },
  '/chat/:id': { intent: ['read'] },
  '/viewProfile/:id': PERSON,
  '/view/:id': PERSON,
  '/preview/:id': PERSON,
  '/unmatch/:id': CONFIRMED,
  '/block/:id': { intent: [UNBLOCK, ...CONFIRMED.intent] },
  '/profile/gallery': { intent: ['upload', 'add', 'add-avatar', 'avatar', 'public', 'private', 'delete'] },
  '/profile/edit': { intent: VOICE_INTENTS, section: Object.keys(EDIT) },
  '/profile/privacy': { intent: [UNBLOCK], section: Object.keys(PRIVACY) },
  '/audit/:id': REVEAL,
  '/audit/:id/state': REVEAL,
  '/audit/:id/rows': REVEAL,
  '/settings/export': { intent: ['export'] },
  '/settings/location': { intent: ['place', 'forget'] },
  '/settings/delete': { intent: ['reactivate', 'deactivate', 'ask-delete', 'delete'] },
}

/** One of the wizard's addresses has a form for each of its steps. */
const STEPPED: readonly string[] = ['/register', '/register/draft?step=1']

/** A form: where it is posted, with `:id` for a member, and the field that names it. */
export type Form = { readonly path: string; readonly named: readonly [name: string, value: string] | null }

function formsAt(path: string): Form[] {
  if (STEPPED.includes(path))
    return STEPS.map((_, at) => ({ path: `${path.replace(/\?.*/, '')}?step=${at + 1}`, named: null }))
  const named = Object.entries(NAMES[path] ?? {}).flatMap(([name, values]) =>
    values.map((value): Form => ({ path, named: [name, value] })),
  )
  return [{ path, named: null }, ...named]
}

/** Every form of every page that takes one; that without a name is the page's only one, or one that it does not know. */
export const FORMS: readonly Form[] = PAGE_ROWS.filter(({ post }) => post).flatMap(({ path }) => formsAt(path))

const LITERAL = /'([\w-]+)'/g
const SOURCES = [
  /name="intent" value="([\w-]+)"/g,
  /(?<!prefetch=")\bintent="([\w-]+)"/g,
  /\bintent'?\)? (?:===|\?\?) '([\w-]+)'/g,
  /\bintent: (?:z\.(?:literal|enum)\()?\[?((?:'[\w-]+'(?:, )?(?: \| )?)+)/g,
  /INTENTS = \[([^\]]*)\]/g,
  /\bact\w*ByIntent\([^{]*(?:\{ acting[^}]*\}[^{]*)?\{([^}]*)\}/g,
]

/** Names of forms in the sources of a page that no form of it has here; of what pages share, that none has. */
export function unknownForms(): string[] {
  return sources(['app']).flatMap(({ path, text }) => {
    const [, route] = /^app\/(routes\/[^/]+)\//.exec(path) ?? []
    const page = PAGE_ROWS.find((row) => row.route === route)?.path
    const known = new Set(FORMS.filter((form) => !page || form.path === page).map(({ named }) => named?.[1]))
    return SOURCES.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, found = '']) => namesIn(found)))
      .filter((name) => name !== 'string' && !known.has(name))
      .map((name) => `${path}: ${name}`)
  })
}

/** Of a list of literals, of an object's keys, or of one name. */
function namesIn(text: string): string[] {
  if (/^[\w-]+$/.test(text)) return [text]
  const literals = [...text.matchAll(LITERAL)].map(([, name = '']) => name)
  const keys = [...text.matchAll(/(?:^|[,{\n])\s*(\w+)\s*(?=[:,}\n]|$)/g)].map(([, name = '']) => name)
  return [...literals, ...keys]
}
