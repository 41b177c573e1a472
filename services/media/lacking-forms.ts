import type { MediaFormRow, MediaRow } from '../app-schema.ts'
import { AVIF, formsFor, type MediaForm, type ProcessedForm, sideOf, sidesBelow } from './forms.ts'
import type { Derived, Deriving } from './parse/deriving.ts'
import type { Form } from './parse/images.ts'
import { sealWhole } from './sealed-draft.ts'
import type { MediaStore } from './store.ts'
import type { MediaWorkers } from './workers/workers.ts'

type Deps = { readonly store: MediaStore; readonly workers: MediaWorkers }
/** An upload, what was derived from it, and the forms of all of them. */
type Owing = {
  readonly upload: MediaRow
  readonly derived: readonly MediaRow[]
  readonly there: readonly MediaFormRow[]
}
type Sized = Pick<MediaForm, 'side' | 'mime' | 'bytes'>

/**
 * `busy`: there is no place to do it, or it was stopped. `crash`: the worker ended. `failed`: a worker refuses this very
 * picture.
 */
export type NotMade = 'busy' | 'crash' | 'failed'
/** What was made, and why not all was. */
type Made<Forms> = Forms & { readonly but?: NotMade | undefined }

/**
 * The forms that a picture and its blurred twin lack; of a video those of its still. A twin of a release that drew it smaller gets
 * forms up to the size of the picture.
 */
export async function makeLacking(
  { store, workers }: Deps,
  { upload, derived, there }: Owing,
  signal?: AbortSignal,
): Promise<Made<{ forms: readonly ProcessedForm[] }>> {
  const picture = upload.kind === 'image' ? upload : derived.find(({ id }) => id === upload.poster_id)
  const twin = derived.find(({ id }) => id === upload.blurred_id)
  const side = picture && sideOf(picture)
  if (!picture || !side) return { forms: [] }
  const filesOf = (row: MediaRow): Sized[] => [
    { ...row, side: sideOf(row) ?? 0 },
    ...there.filter(({ media }) => media === row.id),
  ]
  const own = filesOf(picture)
  const sides = [...sidesBelow(side), side]
  const made = await store.withDrafts(async (newDraft) => {
    const content = await store.read(picture.id)
    const { sealed: derive } = await sealWhole(await newDraft(), content)
    const blurred = twin ? lacking(sides, filesOf(twin), false) : []
    // A large one of AVIF takes seconds of the time that the worker has for each file.
    const one = lacking(sides, own, true).map((side) => ({ derive, webp: [], avif: [side], blurred: [] }))
    const all = [{ derive, webp: lacking(sides, own, false), avif: [], blurred }, ...one]
    return askAll(workers, all, signal)
  })
  const forms = made.forms.filter((form) => isWorth(form, [...own, ...made.forms.map(sized)]))
  const all = [...formsFor(picture.id, forms), ...(twin ? formsFor(twin.id, made.blurred) : [])]
  return { forms: all, but: made.but }
}

/** One after the other, until a stop. */
async function askAll(
  workers: MediaWorkers,
  all: readonly Deriving[],
  signal?: AbortSignal,
): Promise<Made<Omit<Derived, 'ok'>>> {
  const made: { forms: Form[]; blurred: Form[] } = { forms: [], blurred: [] }
  for (const asked of all) {
    if (signal?.aborted) return { ...made, but: 'busy' }
    const answer = await workers.derive(asked, signal)
    if (!answer.ok) return { ...made, but: signal?.aborted ? 'busy' : notMadeFor(answer.reason) }
    made.forms.push(...answer.forms)
    made.blurred.push(...answer.blurred)
  }
  return made
}

const notMadeFor = (reason: string): NotMade => (reason === 'busy' || reason === 'crash' ? reason : 'failed')

const lacking = (sides: readonly number[], there: readonly Sized[], isAvif: boolean): number[] =>
  sides.filter((side) => !there.some((one) => one.side === side && (one.mime === AVIF) === isAvif))

const sized = ({ side, mime, content }: Form): Sized => ({ side, mime, bytes: content.length })

/** One as AVIF is, where it has fewer bytes than each other of its side. */
const isWorth = ({ side, mime, content }: Form, others: readonly Sized[]): boolean =>
  mime !== AVIF || others.every((other) => other.side !== side || other.mime === AVIF || other.bytes > content.length)
