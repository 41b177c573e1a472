import { memberDecider } from '../../../domain/identity/member.ts'
import { STEPS, stepNumber } from '../../../domain/identity/sign-up-steps.ts'
import { BASICS, newcomer } from '../../support/newcomers.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

/** A look at a page by somebody: a member, or a visitor with the right to register. */
export type Visit = { readonly path: string; readonly as?: Person; readonly proof?: string }

/** A page with forms; each visit has people of its own, who have done nothing yet. */
export type Place = { readonly name: string; readonly isOfMembers: boolean; readonly visit: () => Promise<Visit> }

const ANSWERS = {
  basics: BASICS,
  preferences: { step: 'preferences', ageMin: '25', ageMax: '45', distanceMiles: '50', visibilityMode: 'auto' },
  interests: { step: 'interests', interests: ['Music'] },
  photos: { step: 'photos', avatar: '' },
  contact: { step: 'contact', phone: '' },
  review: { step: 'review' },
} as const

/** What a visitor has answered who is at this step of the wizard. */
const draftBefore = (step: number) => ({
  steps: Object.fromEntries(STEPS.slice(0, step - 1).map((name) => [name, ANSWERS[name]])),
  passwordHash: 'chosen',
})

const SECTIONS = {
  edit: ['about', 'interests', 'hobbies', 'tastes', 'voice', 'facts', 'place', 'name', 'phone', 'looking', 'meet'],
  privacy: ['mode', 'blur', 'audience'],
} as const
const sheetsOf = (page: keyof typeof SECTIONS) =>
  Object.fromEntries(SECTIONS[page].map((name) => [`${page}-${name}`, `/profile/${page}?section=${name}`]))

/** Of a member: the path of the page for the one beside them, if it is about somebody. */
const OWN = {
  ...sheetsOf('edit'),
  ...sheetsOf('privacy'),
  gallery: '/profile/gallery',
  discover: '/discover',
  notifications: '/notifications',
  location: '/settings/location',
  delete: '/settings/delete',
  export: '/settings/export',
}
const OF_OTHERS = {
  report: '/report/',
  chat: '/chat/',
  match: '/match/',
  block: '/block/',
  unmatch: '/unmatch/',
  person: '/viewProfile/',
}
const OF_STAFF = { audit: '', 'audit-state': '/state', 'audit-rows': '/rows' }
const OF_VISITORS = { login: '/login', forgot: '/forgot-password', signup: '/signup' }

/** Every page of the product on which somebody types into a form that is sent, the longest first. */
export function placesOf(world: World): readonly Place[] {
  const join = (name: string) => world.join(name)
  const alone = (path: string) => async () => {
    const as = await join('Ann')
    await world.settled()
    return { path, as }
  }
  const matched = (path: string) => async () => {
    const [as, other] = [await join('Ann'), await join('Bea')]
    await world.settled()
    await world.match(as, other)
    await world.settled()
    return { path: path + other.id, as }
  }
  const staff = (rest: string) => async () => {
    const [as, other] = [await join('Ada'), await join('Bea')]
    await world.settled()
    const command = { type: 'GrantRole', member: as.id, role: 'auditor', by: 'admin:drill', at: new Date() } as const
    await world.context.dispatch(memberDecider, command, { commandId: world.newCommand(), actor: 'admin:drill' })
    await world.settled()
    return { path: `/audit/${other.id}${rest}`, as }
  }
  const signingUp = (step: number) => async () => {
    const { signupToken } = await newcomer(world)
    await world.services.proofs.changeDraft(signupToken, () => draftBefore(step))
    return { path: `/register?step=${step}`, proof: signupToken }
  }
  const all = <T>(paths: Readonly<Record<string, string>>, isOfMembers: boolean, visit: (path: string) => T) =>
    Object.entries(paths).map(([name, path]) => ({ name, isOfMembers, visit: visit(path) }))
  return [
    ...all(OWN, true, alone),
    ...all(OF_OTHERS, true, matched),
    ...all(OF_STAFF, true, staff),
    ...STEPS.map((name) => ({
      name: `register-${name}`,
      isOfMembers: false,
      visit: signingUp(stepNumber(name)),
    })),
    ...all(OF_VISITORS, false, (path) => async () => ({ path })),
  ]
}
