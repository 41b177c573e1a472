import { z } from 'zod'
import { normal } from './normal.ts'

const CONTROL = /[\p{Cc}\u2028\u2029]/gu
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
/** Anything but spaces, what only joins or directs its neighbours, fillers, and the blank of Braille. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u
const DIRECTION = /\p{Bidi_Control}/gu

/** Bytes of text that the form of a page may bring, as a browser encodes it. */
export const FORM_TEXT_BYTES = 256 * 1024

/** Characters as every limit counts them: code points. The form of zod's `max` for strings does the same. */
export function lengthOf(text: string): number {
  return [...text].length
}

/**
 * NFC, no control characters but the line feed, no half characters, trimmed; empty when nothing of it can be seen
 * (api-contract §6.0).
 */
export function tidy(text: string): string {
  const plain = text
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, (letter) => (letter === '\n' ? letter : ''))
    .replace(LONE_SURROGATE, '')
  const tidied = normal(plain).trim()
  return VISIBLE.test(tidied) ? tidied : ''
}

/** As `tidy`, with spaces for line feeds, and without marks that turn the text around it. */
function tidyLine(text: string): string {
  const lines = tidy(text.replace(DIRECTION, '')).split('\n')
  return lines
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ')
}

const string = z.string()

/** Text of a member, tidied; `max` counts characters after tidying. */
export const text = (max: number) => string.transform(tidy).pipe(z.string().max(max))

/** As `text`, and not empty. */
export const words = (max: number) => string.transform(tidy).pipe(z.string().min(1).max(max))

/** One line; it may be empty. */
export const optionalLine = (max: number) => string.transform(tidyLine).pipe(z.string().max(max))

/** One line, and not empty. */
export const line = (max: number) => string.transform(tidyLine).pipe(z.string().min(1).max(max))
