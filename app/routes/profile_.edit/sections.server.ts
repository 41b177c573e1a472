import { z } from 'zod'
import * as field from '../../../domain/profile/fields.ts'
import { MAX_FAVORITES } from '../../../domain/profile/limits.ts'
import type { SectionSchemas } from '../../ui/profile/save-section.server.ts'

/** What is ticked and what is typed beside it, each once; commas separate the typed ones. */
function chipsOf(ticked: readonly string[], typed: string): string[] {
  const all = [...ticked, ...typed.split(',')].map((item) => item.trim()).filter(Boolean)
  const once = new Map<string, string>()
  for (const item of all) if (!once.has(item.toLowerCase())) once.set(item.toLowerCase(), item)
  return [...once.values()]
}

const Ticked = z.array(z.string())
const Typed = z.string().default('')
const Line = field.OptionalLine.default('')

const Name = z.object({ firstName: field.Name, lastName: field.Name })
const About = z.object({ bio: field.Bio.default('') })
const Residence = z.object({ city: Line, state: Line })
const Facts = z.object({ height: field.Height.default(null), orientation: Line })

const Interests = z
  .object({ interests: Ticked, 'interests-own': Typed })
  .transform((form) => ({ interests: chipsOf(form.interests, form['interests-own']) }))
  .pipe(z.object({ interests: field.Interests }))

const Hobbies = z
  .object({ hobbies: Ticked, 'hobbies-own': Typed })
  .transform((form) => ({ hobbies: chipsOf(form.hobbies, form['hobbies-own']) }))
  .pipe(z.object({ hobbies: field.Hobbies }))

const Tastes = z
  .object({ likes: Ticked, 'likes-own': Typed, dislikes: Ticked, 'dislikes-own': Typed })
  .transform((form) => ({
    likes: chipsOf(form.likes, form['likes-own']),
    dislikes: chipsOf(form.dislikes, form['dislikes-own']),
  }))
  .pipe(
    z
      .object({ likes: field.Likes, dislikes: field.Likes })
      .refine(({ likes, dislikes }) => likes.length + dislikes.length <= MAX_FAVORITES, { path: ['likes'] }),
  )

const Looking = z.object({ lookingFor: field.LookingFor, vibe: field.Vibe })

/** Two ages are one answer, with one complaint. */
const Age = z.number().catch(Number.NaN)
const Meet = z
  .object({
    interestedIn: field.InterestedIn,
    ageMin: Age,
    ageMax: Age,
    distanceMiles: field.Preferences.shape.distanceMiles,
  })
  .refine(({ ageMin, ageMax }) => field.Preferences.shape.ageRange.safeParse([ageMin, ageMax]).success, {
    path: ['ageMin'],
  })
  .transform(({ interestedIn, ageMin, ageMax, distanceMiles }) => ({
    interestedIn,
    preferences: { ageRange: [ageMin, ageMax] as [number, number], distanceMiles },
  }))

/** People write numbers with spaces, dots and brackets. */
const Phone = z.object({
  phone: z
    .string()
    .default('')
    .transform((phone) => phone.replace(/[\s().-]/g, ''))
    .refine((phone) => field.Phone.safeParse(phone).success),
})

/** The sections of this page. */
export const SECTIONS = {
  name: Name,
  about: About,
  place: Residence,
  facts: Facts,
  interests: Interests,
  hobbies: Hobbies,
  tastes: Tastes,
  looking: Looking,
  meet: Meet,
  phone: Phone,
} satisfies SectionSchemas

/** The fields of one line or text each, whose constraints the browser gets. */
export const PlainFields = z.object({ ...Name.shape, ...About.shape, ...Residence.shape, ...Facts.shape })
