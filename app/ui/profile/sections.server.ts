import { redirect } from '@remix-run/node'
import { FIELD_KEYS } from '../../../domain/profile/choices.ts'
import { MAX_AGE, MAX_DISTANCE_MILES, MAX_FAVORITES, MIN_AGE } from '../../../domain/profile/limits.ts'
import type { Fields } from '../../../usecases/answer.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { editProfile } from '../../../usecases/profile/edit-profile.ts'
import { commandIdOf, textOf } from '../../forms/forms.server.ts'
import { fieldWords } from '../../words/profile-field-words.ts'
import { editWords } from '../../words/profile-words.ts'

/** A form of the own profile that stayed as it was, with what was typed into it. */
export type SectionRefused = {
  section: string
  errors: Fields
  values: Readonly<Record<string, readonly string[]>>
  status: number
}
type Changes = Record<string, unknown>
type Parse = (form: FormData) => Changes

const chips: (...names: string[]) => Parse =
  (...names) =>
  (form) =>
    Object.fromEntries(names.map((name) => [name, chipsOf(form, name)]))
const texts: (...names: string[]) => Parse =
  (...names) =>
  (form) =>
    Object.fromEntries(names.map((name) => [name, textOf(form, name)]))
const number = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

/** What is ticked and what is typed beside it, each once; commas part the typed ones. */
export function chipsOf(form: FormData, name: string): string[] {
  const ticked = form.getAll(name).filter((value) => typeof value === 'string')
  const all = [...ticked, ...textOf(form, `${name}-own`).split(',')].map((item) => item.trim()).filter(Boolean)
  return all.filter((item, at) => all.findIndex((one) => one.toLowerCase() === item.toLowerCase()) === at)
}

/** Each form of the own profile, as the changes it asks for. */
const SECTIONS: Readonly<Record<string, Parse>> = {
  name: texts('firstName', 'lastName'),
  about: texts('bio'),
  place: texts('city', 'state'),
  facts: (form) => ({
    height: textOf(form, 'height').trim() === '' ? null : number(textOf(form, 'height')),
    orientation: textOf(form, 'orientation'),
  }),
  interests: chips('interests'),
  hobbies: chips('hobbies'),
  tastes: chips('likes', 'dislikes'),
  looking: texts('lookingFor', 'vibe'),
  meet: (form) => ({
    interestedIn: form.getAll('interestedIn'),
    preferences: {
      ageRange: [number(textOf(form, 'ageMin')), number(textOf(form, 'ageMax'))],
      distanceMiles: number(textOf(form, 'distanceMiles')),
    },
  }),
  phone: (form) => ({ phone: textOf(form, 'phone').replace(/[\s().-]/g, '') }),
  mode: texts('visibilityMode'),
  blur: texts('blur'),
  audience: (form) => ({ fieldVisibility: Object.fromEntries(FIELD_KEYS.map((key) => [key, textOf(form, key)])) }),
}

/** What the command cannot tell field by field. */
function problemsOf(changes: Changes): string[] {
  const { likes, dislikes, preferences } = changes as {
    likes?: string[]
    dislikes?: string[]
    preferences?: { ageRange: [number, number]; distanceMiles: number }
  }
  if (likes && dislikes && likes.length + dislikes.length > MAX_FAVORITES) return ['likes']
  if (!preferences) return []
  const [min, max] = preferences.ageRange
  const ages = Number.isInteger(min) && Number.isInteger(max) && MIN_AGE <= min && min <= max && max <= MAX_AGE
  const miles = preferences.distanceMiles >= 0 && preferences.distanceMiles <= MAX_DISTANCE_MILES
  return [...(ages ? [] : ['ageMin']), ...(miles ? [] : ['distanceMiles'])]
}

/** Saves one form and leads back to it; `page` is where the forms are (spec 2 §2 and §5, api-contract C08). */
export async function saveSection(
  acting: Acting,
  { form, page }: { form: FormData; page: string },
): Promise<SectionRefused> {
  const section = textOf(form, 'section')
  const parse = SECTIONS[section]
  const values = Object.fromEntries([...form.keys()].map((key) => [key, form.getAll(key).map(String)]))
  const stays = (errors: Fields, status = 400): SectionRefused => ({ section, errors, values, status })
  if (!parse) return stays({ '': 'Could not update profile' })
  const changes = parse(form)
  const problems = problemsOf(changes)
  const outcome = await (problems.length > 0
    ? { ok: false as const, reason: 'invalid' as const, fields: problems }
    : editProfile(acting, { changes, commandId: commandIdOf(form) }))
  if (outcome.ok) throw redirect(`${page}?saved=${section}#${section}`)
  if (outcome.reason === 'invalid') {
    const invalid = (outcome.fields ?? []).filter((name) => name !== 'preferences')
    return stays({ ...fieldWords([...invalid, ...problems]) })
  }
  const { error, status } = editWords(outcome)
  return stays({ [outcome.reason === 'name-too-soon' ? 'firstName' : '']: error }, status)
}
