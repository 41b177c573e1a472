import { memberDecider } from '../../../domain/identity/member.ts'
import { STEPS, stepNumber } from '../../../domain/identity/sign-up-steps.ts'
import { BASICS, newcomer } from '../../support/newcomers.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

/** A page with forms. `proof`: the right to register, anew for each visit. */
export type Place = {
  readonly name: string
  readonly path: string
  readonly as?: Person
  readonly proof?: () => Promise<string>
}

const WIZARD = STEPS.map((name) => stepNumber(name))

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

/** Every page of the product on which somebody types into a form that is sent. */
export async function gather(world: World): Promise<readonly Place[]> {
  const [ann, bea, ada] = [await world.join('Ann'), await world.join('Bea'), await world.join('Ada')]
  await world.settled()
  await world.match(ann, bea)
  const command = { type: 'GrantRole', member: ada.id, role: 'auditor', by: 'admin:drill', at: new Date() } as const
  await world.context.dispatch(memberDecider, command, { commandId: world.newCommand(), actor: 'admin:drill' })
  await world.settled()
  let visits = 0
  const proof = async (step: number) => {
    const { signupToken } = await newcomer(world, { email: `drill.${++visits}@example.com` })
    await world.services.proofs.changeDraft(signupToken, () => draftBefore(step))
    return signupToken
  }
  return [
    { name: 'edit', path: '/profile/edit', as: ann },
    { name: 'privacy', path: '/profile/privacy', as: ann },
    { name: 'gallery', path: '/profile/gallery', as: ann },
    { name: 'report', path: `/report/${bea.id}`, as: ann },
    { name: 'chat', path: `/chat/${bea.id}`, as: ann },
    { name: 'discover', path: '/discover', as: ann },
    { name: 'delete', path: '/settings/delete', as: ann },
    { name: 'export', path: '/settings/export', as: ann },
    { name: 'block', path: `/block/${bea.id}`, as: ann },
    { name: 'unmatch', path: `/unmatch/${bea.id}`, as: ann },
    { name: 'person', path: `/viewProfile/${bea.id}`, as: ann },
    { name: 'audit', path: `/audit/${bea.id}`, as: ada },
    { name: 'audit-state', path: `/audit/${bea.id}/state`, as: ada },
    { name: 'audit-rows', path: `/audit/${bea.id}/rows`, as: ada },
    { name: 'login', path: '/login' },
    { name: 'forgot', path: '/forgot-password' },
    { name: 'signup', path: '/signup' },
    ...WIZARD.map((step) => ({
      name: `register-${step}`,
      path: `/register?step=${step}`,
      proof: () => proof(step),
    })),
  ]
}
