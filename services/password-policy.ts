import { normal } from '../domain/shared/normal.ts'
import { PASSWORD_MAX } from '../domain/shared/password.ts'

const PASSWORD_MIN = 6
/** Names shorter than this are parts of too many words. */
const NAME_MIN = 3
/** Up to this length a password also has to be hard to guess. */
const SHORT = 7
const SHORT_GUESSES = 1e6

/**
 * Why a password may not be chosen: a space at an end, which another keyboard adds or leaves out, a length outside the
 * limits, easy to guess, or made of its owner's data.
 */
export type PasswordRefusal = 'outer-spaces' | 'too-short' | 'too-long' | 'common' | 'personal'
export type PasswordVerdict = { ok: true } | { ok: false; reason: PasswordRefusal }
export type AboutOwner = { email?: string; firstName?: string; lastName?: string }
/** Answers whether a new password may be used, and why not (security §3.1). */
export type CheckPassword = (password: string, about?: AboutOwner) => Promise<PasswordVerdict>

/** `minLength` counts code points; 6 is the spec's. */
export function createPasswordPolicy({ minLength = PASSWORD_MIN }: { minLength?: number } = {}): CheckPassword {
  let dictionary: Promise<Dictionary> | undefined
  return async (password, about = {}) => {
    if (password !== password.trim()) return refused('outer-spaces')
    const plain = normal(password)
    const length = [...plain].length
    if (length < minLength) return refused('too-short')
    if (length > PASSWORD_MAX) return refused('too-long')
    const folded = plain.toLowerCase()
    if (folded.includes('buzz') || isStraight(folded)) return refused('common')
    if (personalWords(about).some((word) => folded.includes(word))) return refused('personal')
    dictionary ??= loadDictionary()
    const { common, guesses } = await dictionary
    if (common.has(folded)) return refused('common')
    return length <= SHORT && guesses(plain) < SHORT_GUESSES ? refused('common') : { ok: true }
  }
}

const refused = (reason: PasswordRefusal): PasswordVerdict => ({ ok: false, reason })

function personalWords({ email, firstName, lastName }: AboutOwner): string[] {
  const words = [email?.split('@')[0], firstName, lastName].map((word) => word && normal(word).trim().toLowerCase())
  return words.filter((word): word is string => word !== undefined && [...word].length >= NAME_MIN)
}

/** One character over and over, or a run up or down such as 345678 or fedcba. */
function isStraight(text: string): boolean {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0)
  const steps = new Set(points.slice(1).map((point, index) => point - (points[index] ?? 0)))
  return steps.size === 1 && [...steps].every((step) => Math.abs(step) <= 1)
}

type Dictionary = { common: ReadonlySet<string>; guesses(password: string): number }

/** The lists are megabytes, and only sign-up and a change of password need them. */
async function loadDictionary(): Promise<Dictionary> {
  const [{ ZxcvbnFactory }, common] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const { dictionary, adjacencyGraphs } = common
  const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
  return {
    common: new Set(dictionary['passwords-common'].map((word) => String(word).toLowerCase())),
    guesses: (password) => zxcvbn.check(password).guesses,
  }
}
