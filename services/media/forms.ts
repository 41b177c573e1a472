import { PICTURE_SIDES } from '../../domain/shared/media.ts'
import type { AppDb } from '../app-db.ts'
import type { MediaFormRow } from '../app-schema.ts'
import { randomId } from '../random-id.ts'
import type { Form } from './parse/images.ts'
import type { Media } from './records.ts'

export const AVIF = 'image/avif'

/** A file of the store with all or less of a picture. `side`: pixels of the shorter side, null for what is no picture. */
export type MediaForm = Pick<MediaFormRow, 'file' | 'side' | 'mime' | 'bytes'>
export type StoredFile = Omit<MediaForm, 'side'> & { readonly side: number | null }

/** What a browser asks of a picture: at least so many pixels of its shorter side, and whether it can show AVIF. */
export type AskedForm = { readonly side: number | null; readonly avif: boolean }

/** A form for the store, with its row. */
export type ProcessedForm = { readonly row: MediaFormRow; readonly content: Buffer }

export const formsFor = (media: string, forms: readonly Form[]): ProcessedForm[] =>
  forms.map(({ side, mime, content }) => ({
    content,
    row: { file: randomId(), media, side, mime, bytes: content.length },
  }))

/** The forms of these files: pictures, and what was derived from them. */
export const formRowsOf = (db: AppDb, media: readonly string[]) =>
  db.selectFrom('media_form').selectAll().where('media', 'in', media)

/** Pixels of the shorter side; null for what is no picture. */
export const sideOf = ({ width, height }: Pick<Media, 'width' | 'height'>): number | null =>
  width === null || height === null ? null : Math.min(width, height)

/** The sides of the forms of a picture that has this one: smaller ones, since none is enlarged. */
export const sidesBelow = (side: number): number[] => PICTURE_SIDES.filter((one) => one < side)

/**
 * The smallest file that is as large as asked, else the largest; of two as large the AVIF one for who can show it. There is one of AVIF
 * only where it has fewer bytes.
 */
export function formFor(media: Media, forms: readonly MediaForm[], asked: AskedForm): StoredFile {
  const { id, mime, bytes } = media
  const side = media.kind === 'image' ? sideOf(media) : null
  const whole = { file: id, mime, bytes, side }
  if (side === null) return whole
  const files = [{ ...whole, side }, ...forms].filter((one) => asked.avif || one.mime !== AVIF)
  const largest = Math.max(...files.map((one) => one.side))
  const enough = files.filter((one) => one.side >= Math.min(asked.side ?? largest, largest))
  const smallest = Math.min(...enough.map((one) => one.side))
  const suited = enough.filter((one) => one.side === smallest)
  return suited.find((one) => one.mime === AVIF) ?? suited.at(-1) ?? whole
}
