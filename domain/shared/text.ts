import { z } from 'zod'

const CONTROL = /[\p{Cc}\u2028\u2029]/gu
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** NFC, no control characters but the line feed, no half characters, trimmed (api-contract §6.0). */
export function tidy(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, (letter) => (letter === '\n' ? letter : ''))
    .replace(LONE_SURROGATE, '')
    .normalize('NFC')
    .trim()
}

/** Text of a member, tidied; `max` counts UTF-16 units after tidying. */
export const text = (max: number) =>
  z
    .string()
    .max(max * 4 + 64)
    .transform(tidy)
    .pipe(z.string().max(max))

/** As `text`, and not empty. */
export const words = (max: number) =>
  z
    .string()
    .max(max * 4 + 64)
    .transform(tidy)
    .pipe(z.string().min(1).max(max))

/** One line: line feeds become spaces. */
export const line = (max: number) =>
  z
    .string()
    .max(max * 4 + 64)
    .transform((value) => tidy(value).replace(/\s*\n\s*/g, ' '))
    .pipe(z.string().min(1).max(max))
