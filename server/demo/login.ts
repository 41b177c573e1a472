import { DEFAULT_PREFERENCES } from '../../domain/profile/fields.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Services } from '../../usecases/ports.ts'
import type { Persona } from './people.ts'

export type DemoLogin = { readonly email: string; readonly password: string }

/** The one member of the demo world that somebody can sign in as; it exists in local mode alone. */
export const DEMO_LOGIN: DemoLogin = { email: 'demo@letsbuzz.example', password: 'tern-quay-58-amber' }

const AGE = 29

/** Sought by many and open to all, so that nothing is empty. */
export function loginPersona(today: Date): Persona {
  return {
    age: AGE,
    heritage: 'northern',
    answers: {
      firstName: 'Mira',
      lastName: 'Lindqvist',
      gender: 'Female',
      dob: `${today.getUTCFullYear() - AGE - 1}-12-31`,
      lookingFor: 'serious',
      interestedIn: ['male', 'female', 'other'],
      interests: ['Hiking', 'Music', 'Cooking', 'Travel', 'Photography'],
      preferences: { ...DEFAULT_PREFERENCES, ageRange: [22, 45] },
      visibilityMode: 'limited',
    },
    changes: {
      bio: 'Slow mornings, long walks and anything with cardamom. Show me your favourite corner of town.',
      hobbies: ['Hiking', 'Cooking', 'Photography'],
      vibe: 'serious',
      height: 171,
    },
  }
}

export async function findDemoMember({ credentials }: Pick<Services, 'credentials'>): Promise<MemberId | null> {
  return (await credentials.findByEmail(DEMO_LOGIN.email))?.member ?? null
}

/** The login while its password is the one that is printed. */
export async function findDemoLogin(services: Pick<Services, 'credentials' | 'passwords'>): Promise<DemoLogin | null> {
  const credential = await services.credentials.findByEmail(DEMO_LOGIN.email)
  if (!credential?.passwordHash) return null
  return (await services.passwords.verify(credential.passwordHash, DEMO_LOGIN.password, 'demo')) ? DEMO_LOGIN : null
}
