export const PRIVACY_VERSION = '2026-01'

export const CONTACT = {
  help: 'help@letsbuzz.example',
  safety: 'safety@letsbuzz.example',
  privacy: 'privacy@letsbuzz.example',
  post: 'LetsBuzz, 1 Comb Street, Example Town',
} as const
