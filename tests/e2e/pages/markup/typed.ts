import { randomUUID } from 'node:crypto'
import type { Person } from '../../../support/world-people.ts'
import { NOBODY } from '../cast.ts'
import type { Asked } from './look.ts'

/** Who types. A `visitor` is nobody; a `newcomer` is in the wizard; a `guarded` one has given the password and owes the code. */
export type Typist = 'visitor' | 'newcomer' | 'guarded' | 'member' | 'staff'

/** `isBack`: what was typed is on the page that answers. `plain`: sent without script alone. */
export type Typing = Asked & { readonly isBack?: boolean; readonly plain?: boolean }

type Given = { readonly value: string; readonly other: Person }

const back = (path: string, fields: Record<string, string>): Typing => ({ path, fields, isBack: true })
const lost = (path: string, fields: Record<string, string>): Typing => ({ path, fields })
/** Each of these in the address. */
const address = (path: string, value: string, ...names: string[]): Typing => ({
  path: `${path}?${new URLSearchParams(names.map((name) => [name, value]))}`,
})
const command = () => ({ commandId: randomUUID() })

const visitor = ({ value, other }: Given): Typing[] => [
  back('/login', { email: value, password: 'wrong-word-here', redirectTo: value }),
  back('/forgot-password', { intent: 'request', email: value }),
  back('/forgot-password', {
    intent: 'reset',
    email: value,
    code: value,
    newPassword: 'x',
    confirm: 'y',
    undoes: value,
  }),
  back('/signup', { intent: 'send', email: value }),
  back('/signup', { intent: 'verify', email: value, code: value }),
  address('/login', value, 'redirectTo', 'google', 'forgot', 'over'),
  address('/signup', value, 'refused', 'google'),
  address('/forgot-password', value, 'link', 'redirectTo'),
  address('/', value, 'blocked', 'unblocked', 'goodbye'),
  address('/nowhere-at-all', value, 'q'),
  // No path of ours is matched by what ends a line.
  { path: `/nowhere-at-all/${encodeURIComponent(value.replace(/[\u2028\u2029]/g, ''))}` },
  // More than the login carries.
  { ...back(`/report/${other.id}`, { words: value + noise(), as: other.id }), plain: true },
]

const guarded = ({ value }: Given): Typing[] => [
  back('/login/code', { code: value }),
  back('/login/code?recovery', { code: value }),
  address('/login/code', value, 'redirectTo'),
]

const newcomer = ({ value }: Given): Typing[] => [
  back('/register?step=1', {
    firstName: value,
    lastName: value,
    gender: value,
    dob: value,
    lookingFor: value,
    go: 'on',
  }),
  { path: '/register?step=1', isBack: true },
  back('/register?step=2', { ageMin: value, ageMax: value, distanceMiles: value, visibilityMode: value, go: 'on' }),
  lost('/register?step=3', { interests: value, go: 'on' }),
  { path: '/register?step=4', fields: { go: 'upload' }, file: ['file', value], isBack: true, plain: true },
  { path: '/register?step=5', fields: { go: 'on' }, file: ['voice', value], isBack: true, plain: true },
  back('/register?step=5', { phone: value, go: 'on' }),
  { path: '/register?step=5', isBack: true },
  address('/register', value, 'step', 'incomplete'),
]

const sections = ({ value }: Given): Typing[] => {
  const section = (name: string, ...fields: string[]) =>
    back(`/profile/edit?section=${name}`, {
      section: name,
      ...command(),
      ...Object.fromEntries(fields.map((field) => [field, value])),
    })
  return [
    section('name', 'firstName', 'lastName'),
    section('about', 'bio'),
    section('place', 'city', 'state'),
    section('facts', 'orientation', 'height'),
    section('interests', 'interests', 'interests-own'),
    section('hobbies', 'hobbies', 'hobbies-own'),
    section('tastes', 'likes', 'likes-own', 'dislikes', 'dislikes-own'),
    section('phone', 'phone'),
    { ...section('looking', 'lookingFor', 'vibe'), isBack: false },
    { ...section('meet', 'interestedIn', 'ageMin', 'ageMax', 'distanceMiles') },
  ]
}

const member = (given: Given): Typing[] => {
  const { value, other } = given
  return [
    ...sections(given),
    back('/discover', { intent: 'place', town: value }),
    back('/settings/location', { intent: 'place', town: value }),
    address('/settings/location', value, 'done', 'confirm'),
    lost('/discover', { intent: 'vibe', vibe: value, ...command() }),
    address('/discover', value, 'ageMin', 'ageMax', 'distanceMiles', 'vibe'),
    back(`/chat/${other.id}`, { id: randomUUID(), text: value.repeat(5) }),
    back(`/report/${other.id}`, { quick: value, words: value, ...command() }),
    // No page is here to give it back.
    { ...back(`/report/${NOBODY}`, { words: value, ...command() }), plain: true },
    { path: '/profile/gallery', fields: { intent: 'upload', ...command() }, file: ['file', value], plain: true },
    lost('/profile/privacy', { section: 'mode', visibilityMode: value, ...command() }),
    lost('/settings/delete?confirm=delete', { intent: 'delete', typed: value, password: 'x', code: value }),
    lost('/settings/export', { intent: 'export', password: 'x', code: value }),
    { ...address('/chat', value, 'q'), isBack: true },
    address('/notifications', value, 'type'),
    address('/profile', value, 'show', 'unmatched', 'command', 'after'),
    address('/profile/edit', value, 'section', 'saved'),
    address('/profile/privacy', value, 'section', 'saved', 'after'),
    address(`/viewProfile/${other.id}`, value, 'media'),
    address(`/report/${other.id}`, value, 'message', 'sent'),
    address(`/match/${other.id}`, value, 'live'),
    address(`/block/${other.id}`, value, 'back'),
  ]
}

const staff = ({ value, other }: Given): Typing[] => [
  back(`/audit/${other.id}`, { intent: 'reveal', reason: value, ...command() }),
  { ...address('/audit', value, 'q'), isBack: true },
  address(`/audit/${other.id}`, value, 'kind', 'from', 'until', 'before', 'after'),
  { ...address(`/audit/${other.id}/state`, value, 'stream', 'revision', 'at', 'fromRevision', 'fromAt'), isBack: true },
  address(`/audit/${other.id}/rows`, value, 'model', 'row', 'page'),
]

/** What nobody can pack into a few cookies. */
const noise = () => Array.from({ length: 300 }, () => randomUUID()).join('')

/** Every form that gives back what was typed, and every address that takes words, each with a value in every field. */
export const TYPED: Readonly<Record<Typist, (given: Given) => readonly Typing[]>> = {
  visitor,
  guarded,
  newcomer,
  member,
  staff,
}
