import { LOOKING_FOR_LABELS, PRIVATE_VIBE_LABELS } from '../../domain/profile/choices.ts'

const VIBES: Readonly<Record<string, string>> = { ...LOOKING_FOR_LABELS, ...PRIVATE_VIBE_LABELS }

/** A vibe in everyday words; null for one that has no public name. */
export function vibeLabel(vibe: string | undefined): string | null {
  return (vibe && VIBES[vibe]) || null
}
