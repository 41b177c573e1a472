import { z } from 'zod'
import { FIELD_KEYS } from '../../../domain/profile/choices.ts'
import { ProfileChanges } from '../../../domain/profile/commands.ts'
import * as field from '../../../domain/profile/fields.ts'
import type { SectionSchemas } from '../../ui/profile/save-section.server.ts'

/** One answer for each field, which are one setting with one complaint. */
const Audience = z
  .object(Object.fromEntries(FIELD_KEYS.map((key) => [key, z.string().optional()])))
  .transform((fieldVisibility) => ({ fieldVisibility }))
  .pipe(z.object({ fieldVisibility: field.FieldVisibility }))

/** The sections of this page. */
export const SECTIONS: SectionSchemas = {
  mode: ProfileChanges.pick({ visibilityMode: true }).required(),
  blur: ProfileChanges.pick({ blur: true }).required(),
  audience: Audience,
}
