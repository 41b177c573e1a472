import { z } from 'zod'
import { VIBES } from '../../domain/profile/choices.ts'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../domain/profile/limits.ts'
import { MemberId } from '../../domain/shared/ids.ts'
import { PASSWORD_MAX } from '../../domain/shared/password.ts'
import { OFFSET_MAX, PAGE_MAX } from '../../projections/paging.ts'

/** Parts of requests that several calls share (api-contract §6.0). */
export const lat = z.number().min(-90).max(90)
export const lng = z.number().min(-180).max(180)
export const LocationBody = z.object({ lat, lng })

/** A text whose length the command checks, once it is tidied: the call refuses it in the words of its screen. */
export const textUpTo = (max: number) => z.string().meta({ maxLength: max, description: TIDIED })
/** How long a text may be (api-contract §6.0). */
export const TIDIED =
  'Counted in code points, once the text is normalised to NFC, trimmed and without control characters.'

/** A number in an address. An empty one is none. */
export const numeric = <T extends z.ZodType<unknown, number>>(schema: T) =>
  z
    .string()
    .max(32)
    .regex(/^[+-]?(\d+(\.\d*)?|\.\d+)$/, 'Use a number.')
    .transform(Number)
    .pipe(schema)

/** Where a list begins and how much of it is asked for (api-contract §6.0). */
export const limit = numeric(z.number().int().min(1).max(PAGE_MAX)).optional()
const offset = numeric(
  z
    .number()
    .int()
    .min(0)
    .meta({ description: `Behind ${OFFSET_MAX} a list is empty.` }),
).optional()
export const ListQuery = z.object({ limit, offset })

/** Who one is, for what a stolen session may not do: the password, and beside it the code of a second factor. */
export const OwnProof = z
  .object({
    password: z.string().max(PASSWORD_MAX).optional(),
    code: z.string().max(64).optional().meta({ description: 'Six digits of the app, or a recovery code.' }),
  })
  .optional()

export const ById = z.object({ id: MemberId })
export const ByUserId = z.object({ userId: MemberId })
export const To = z.object({ to: MemberId })

const age = numeric(
  z.number().int().min(MIN_AGE).max(MAX_AGE).meta({
    description: 'Alone it goes with the preferred other age; where the two would cross, the other end is open.',
  }),
).optional()

/** Discover's query (api-contract C06): both coordinates or neither. */
export const DeckQuery = z
  .object({
    lat: numeric(lat).optional(),
    lng: numeric(lng).optional(),
    vibe: z.enum(VIBES).optional(),
    ageMin: age,
    ageMax: age,
    distanceMiles: numeric(z.number().min(0).max(MAX_DISTANCE_MILES)).optional(),
    // Not `uniqueItems`: one that is named twice filters as once.
    interests: z
      .string()
      .max(400)
      .transform((text) => text.split(',').filter((one) => one.trim() !== ''))
      .pipe(z.array(z.string().trim().max(30)).max(10))
      .optional()
      .meta({ param: { style: 'form', explode: false } }),
  })
  .refine(({ lat, lng }) => (lat === undefined) === (lng === undefined), {
    path: ['lat'],
    message: 'Send both coordinates or neither.',
  })
  .refine(({ ageMin = MIN_AGE, ageMax = MAX_AGE }) => ageMin <= ageMax, {
    path: ['ageMin'],
    message: 'The lowest age comes first.',
  })
