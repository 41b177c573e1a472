import { PASSWORD_MAX } from '../../domain/shared/password.ts'
import type { PasswordRefusal } from '../../services/password-policy.ts'
import type { WordTable } from './words.ts'

/** Why a new password may not be used; `field` is where the form asks for it (security §3.1). */
export function passwordWords({ passwordMin }: { readonly passwordMin: number }, field: string) {
  return {
    'outer-spaces': { status: 400, error: 'A password cannot start or end with a space.', field },
    'too-short': { status: 400, error: `Password must be at least ${passwordMin} characters.`, field },
    'too-long': { status: 400, error: `Password must be at most ${PASSWORD_MAX} characters.`, field },
    common: { status: 400, error: 'Choose a different password. This one is too common.', field },
    personal: {
      status: 400,
      error: 'Choose a different password. This one contains your name or e-mail address.',
      field,
    },
  } satisfies WordTable<PasswordRefusal>
}
