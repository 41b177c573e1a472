import {
  DEFAULT_FIELD_VISIBILITY,
  type Gender,
  INTERESTS,
  LOOKING_FOR,
  PRESET_HOBBIES,
  PRIVATE_VIBES,
  type Sought,
  soughtAs,
  type VisibilityMode,
} from '../../domain/profile/choices.ts'
import type { ProfileChanges } from '../../domain/profile/commands.ts'
import { MAX_AGE, MIN_AGE } from '../../domain/profile/limits.ts'
import { days } from '../../domain/shared/dates.ts'
import type { Registration } from '../../usecases/register/rules.ts'
import { BY_INTEREST, CLOSERS } from './bios.ts'
import type { Heritage } from './drawing/person/heritage.ts'
import { nameOf } from './names.ts'
import type { Chance } from './random.ts'

/** Someone invented: their answers to the wizard, and what they put into the profile after it. */
export type Persona = {
  readonly age: number
  /** Where the name comes from. */
  readonly heritage: Heritage
  readonly answers: Omit<Registration, 'photos' | 'avatar' | 'voiceUrl' | 'acceptedTermsVersion'>
  readonly changes: ProfileChanges
}

/** Whom the demo login meets first must fit: of an age, and interested. */
type Company = Pick<Persona, 'age' | 'answers'>

/** An adult of any gender and orientation. With `company`, one who would like them, and be liked. */
export function makePersona(chance: Chance, today: Date, company?: Company): Persona {
  const gender = genderOf(chance, company)
  const age = company ? company.age + chance.between(-5, 8) : ageOf(chance)
  const interestedIn = company
    ? [...new Set([soughtAs(company.answers.gender), ...interestedInOf(chance, gender)])]
    : interestedInOf(chance, gender)
  const interests = chance.some(INTERESTS, chance.between(1, 5))
  const lookingFor = chance.pick(LOOKING_FOR)
  const { heritage, ...names } = nameOf(chance, gender)
  return {
    age,
    heritage,
    answers: {
      ...names,
      gender,
      dob: birthday(chance, age, today),
      lookingFor,
      interestedIn,
      interests,
      preferences: { ageRange: agesAround(chance, age), distanceMiles: chance.pick([25, 50, 100, 250, 1000]) },
      visibilityMode: company ? chance.pick(['auto', 'limited', 'full'] as const) : modeOf(chance),
    },
    changes: {
      bio: bioOf(chance, interests),
      hobbies: chance.some(PRESET_HOBBIES, chance.between(0, 4)),
      vibe: chance.chance(0.25) ? chance.pick(PRIVATE_VIBES) : lookingFor,
      ...(chance.chance(0.7) && { height: chance.between(152, 196) }),
      ...(chance.chance(0.6) && { orientation: orientationOf(chance, gender, interestedIn) }),
      ...(chance.chance(0.5) && { likes: chance.some(LIKES, 3), dislikes: chance.some(DISLIKES, 2) }),
    },
  }
}

/** What a profile opened by its owner shows to everyone: clear photos; closed ones are blurred now and then. */
export function openness(chance: Chance, mode: VisibilityMode): ProfileChanges {
  const open = mode === 'full' || (mode === 'limited' && chance.chance(0.35))
  if (open) return { blur: 'clear', fieldVisibility: { ...DEFAULT_FIELD_VISIBILITY, photos: 'public' } }
  return chance.chance(0.1) ? { blur: 'blurred' } : {}
}

const LIKES = [
  'Rain',
  'Old films',
  'Night trains',
  'Olives',
  'Handwriting',
  'Markets',
  'Long tables',
  'Sea air',
  'Jazz',
]
const DISLIKES = ['Alarm clocks', 'Small talk', 'Queues', 'Cold coffee', 'Loud phones', 'Raisins']

function genderOf(chance: Chance, company?: Company): Gender {
  if (company) {
    const fitting = (['Male', 'Female', 'Non-binary'] as const).filter((gender) =>
      company.answers.interestedIn.includes(soughtAs(gender)),
    )
    return chance.pick(fitting)
  }
  const roll = chance.next()
  if (roll < 0.42) return 'Female'
  if (roll < 0.83) return 'Male'
  if (roll < 0.92) return 'Non-binary'
  return roll < 0.96 ? 'Other' : 'Prefer not to say'
}

function ageOf(chance: Chance): number {
  const roll = chance.next()
  if (roll < 0.82) return chance.between(20, 45)
  return roll < 0.96 ? chance.between(46, 70) : chance.between(18, 19)
}

/** Well behind the last birthday, so that the age also holds weeks ago, when they joined. */
function birthday(chance: Chance, age: number, today: Date): string {
  const born = new Date(today.getTime() - days(chance.between(60, 340)))
  born.setUTCFullYear(born.getUTCFullYear() - age)
  return born.toISOString().slice(0, 10)
}

function interestedInOf(chance: Chance, gender: Gender): Sought[] {
  const roll = chance.next()
  const everyone: Sought[] = ['male', 'female', 'other']
  if (gender !== 'Female' && gender !== 'Male') return roll < 0.6 ? everyone : chance.some(everyone, 2)
  const [own, opposite]: [Sought, Sought] = gender === 'Male' ? ['male', 'female'] : ['female', 'male']
  if (roll < 0.6) return [opposite]
  if (roll < 0.75) return [own]
  return roll < 0.88 ? [opposite, own] : everyone
}

function orientationOf(chance: Chance, gender: Gender, interestedIn: readonly Sought[]): string {
  if (gender !== 'Female' && gender !== 'Male') return chance.pick(['Queer', 'Pansexual', 'Bisexual'])
  if (interestedIn.length > 2) return 'Pansexual'
  if (interestedIn.length > 1) return 'Bisexual'
  const own = soughtAs(gender)
  if (interestedIn[0] !== own) return 'Straight'
  return gender === 'Female' ? 'Lesbian' : 'Gay'
}

function agesAround(chance: Chance, age: number): [number, number] {
  return [Math.max(MIN_AGE, age - chance.between(6, 14)), Math.min(MAX_AGE, age + chance.between(6, 16))]
}

function modeOf(chance: Chance): VisibilityMode {
  const roll = chance.next()
  if (roll < 0.47) return 'auto'
  if (roll < 0.8) return 'limited'
  return roll < 0.96 ? 'full' : 'hidden'
}

function bioOf(chance: Chance, interests: readonly (typeof INTERESTS)[number][]): string {
  if (chance.chance(0.06)) return ''
  const own = interests.flatMap((interest) => BY_INTEREST[interest] ?? [])
  return [...chance.some(own, chance.between(1, 2)), chance.pick(CLOSERS)].join(' ')
}
