import { z } from 'zod'
import * as field from '../../domain/profile/fields.ts'
import { mediaIdFrom, mediaUrl } from '../../services/media/media-url.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { StepAnswers } from './answers.ts'
import { type Draft, openDraft, withStep } from './draft.ts'
import type { VisitorProof } from './proof.ts'
import { Basics, fieldsOf, Interests } from './rules.ts'

/** What a profile may change of what the wizard asks, by the wizard's rules. */
const Answers = z
  .object({
    ...Basics.omit({ dob: true }).shape,
    ...Interests.shape,
    preferences: field.Preferences,
    visibilityMode: field.VisibilityMode,
    phone: field.Phone,
  })
  .partial()
type Answers = z.infer<typeof Answers>

/** `avatar` is the address of an own upload. */
export type WizardAnswers = { readonly [name in keyof Answers]?: unknown } & { readonly avatar?: string | undefined }
export type SaveAnswersRefusal = 'conflict' | 'invalid' | 'invalid-media'

/**
 * Keeps answers of the wizard that came by a call, for an account that is not there yet (api-contract C08, ruling R13). What
 * is absent stays as it is; nothing becomes a member before the registration. `invalid` names the fields that cannot be.
 */
export async function saveAnswers(
  ports: Pick<Ports, 'proofs' | 'media' | 'config'>,
  proof: VisitorProof,
  { avatar: address, ...given }: WizardAnswers,
): Promise<Outcome<null, SaveAnswersRefusal>> {
  const parsed = Answers.safeParse(given)
  if (!parsed.success) return refused('invalid', { fields: fieldsOf(parsed.error) })
  const avatar = address === undefined ? undefined : await ownPicture(ports, proof, address)
  if (avatar === null) return refused('invalid-media')
  const answers = { ...parsed.data, avatar }
  const kept = await ports.proofs.changeDraft(proof.token, (stored) => withAnswers(openDraft(stored), answers))
  return kept ? done(null) : refused('conflict')
}

/** The address as the draft has it, or null for what the visitor has not uploaded as a picture. */
async function ownPicture(
  { media, config }: Pick<Ports, 'media' | 'config'>,
  proof: VisitorProof,
  address: string,
): Promise<string | null> {
  const id = mediaIdFrom(address, config.publicUrl)
  if (!id) return null
  const own = await media.check({ proof: proof.id }, [{ id, purposes: ['photo', 'avatar'], kind: 'image' }])
  return own && mediaUrl(id)
}

function withAnswers(draft: Draft, answers: Answers & { avatar: string | undefined }): Draft {
  const { firstName, lastName, gender, lookingFor, interestedIn, visibilityMode, interests, phone, avatar } = answers
  const [ageMin, ageMax] = answers.preferences?.ageRange ?? []
  const distanceMiles = answers.preferences?.distanceMiles
  const given = {
    basics: { firstName, lastName, gender, lookingFor, interestedIn },
    preferences: { ageMin: text(ageMin), ageMax: text(ageMax), distanceMiles: text(distanceMiles), visibilityMode },
    interests: { interests },
    photos: { avatar },
    contact: { phone },
  }
  return Object.entries(given).reduce((kept, [step, fields]) => withFields(kept, step, fields), draft)
}

const text = (number: number | undefined) => (number === undefined ? undefined : String(number))

/** A step of which nothing was sent stays unseen, as the wizard has it. */
function withFields(draft: Draft, step: string, fields: object): Draft {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (sent.length === 0) return draft
  const before = Object.entries(draft.steps).find(([name]) => name === step)?.[1]
  return withStep(draft, StepAnswers.parse({ ...before, ...Object.fromEntries(sent), step }))
}
