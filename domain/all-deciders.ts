import { auditDecider } from './audit/decider.ts'
import { emailDecider } from './identity/email.ts'
import { memberDecider } from './identity/member.ts'
import { inboxDecider } from './inbox/decider.ts'
import { pairDecider } from './pair/decider.ts'
import { profileDecider } from './profile/decider.ts'
import { galleryDecider } from './profile/gallery.ts'
import { safetyDecider } from './safety/decider.ts'

/** The decider of each category of streams. */
export const allDeciders = [
  memberDecider,
  emailDecider,
  profileDecider,
  galleryDecider,
  pairDecider,
  inboxDecider,
  safetyDecider,
  auditDecider,
] as const
