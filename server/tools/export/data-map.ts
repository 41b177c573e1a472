import type { Destination } from './destination.ts'
import { APP_TABLES } from './table-map.ts'

/**
 * An event of the log: whose it is by the field that names them (`members`: both of a pair), and each of its fields. A
 * field that is not named here leaves in no export, and a test asks for it.
 */
export type EventFields = { readonly whose: Whose; readonly fields: Readonly<Record<string, Destination>> }
export type Whose = 'member' | 'by' | 'from' | 'auditor' | 'members'

export const HISTORY = 'history.json'
const OF_ADDRESS = 'A number in the place of your address, which account.json contains.'
const OTHER = 'Whom an auditor looked at is that member’s, not the auditor’s.'
const SCREEN = 'What others showed and wrote; what was written to the member is in messages.'

const fieldsTo = (destination: Destination, ...names: string[]): Record<string, Destination> =>
  Object.fromEntries(names.map((name) => [name, destination]))
const into = (path: string, ...names: string[]) => fieldsTo({ in: path }, ...names)
const out = (why: string, ...names: string[]) => fieldsTo({ not: why }, ...names)

const own = (...names: string[]): EventFields => ({ whose: 'member', fields: into(HISTORY, 'member', 'at', ...names) })
const done = (...names: string[]): EventFields => ({
  whose: 'by',
  fields: into(HISTORY, 'by', 'target', 'at', ...names),
})
const address = (...names: string[]): EventFields => ({
  whose: 'member',
  fields: out(OF_ADDRESS, 'address', 'emailKey', 'member', 'at', ...names),
})
const reported: EventFields = {
  whose: 'by',
  fields: {
    ...into('reports.json', 'report', 'by', 'target', 'media', 'reason', 'at'),
    ...out(SCREEN, 'evidence', 'message'),
  },
}
const audit = (...names: string[]): EventFields => ({
  whose: 'auditor',
  fields: { ...into(HISTORY, 'auditor', 'at', ...names), ...out(OTHER, 'member') },
})

/** Every field of every event. */
export const EVENTS: Readonly<Record<string, EventFields>> = {
  EmailReserved: address('until'),
  EmailConfirmed: address(),
  EmailReleased: address(),
  MemberRegistered: own('email', 'termsVersion', 'demo'),
  AccountDeactivated: own(),
  AccountReactivated: own(),
  AccountSuspended: own('reason'),
  AccountReinstated: own(),
  AccountErased: own(),
  ErasureCertified: own('keyDestroyedAt', 'places'),
  RoleGranted: own('role', 'by'),
  RoleRevoked: own('role', 'by'),
  PasswordChanged: own('how'),
  SessionsRevoked: own('sessions'),
  SignedInOnNewDevice: own(),
  SecondFactorChanged: own('how'),
  RecoveryCodeUsed: own('left'),
  SecondFactorRefused: own(),
  ProfileStarted: own(
    ...['firstName', 'lastName', 'dob', 'gender', 'lookingFor', 'interestedIn', 'preferences', 'interests', 'phone'],
    'visibilityMode',
  ),
  NameChanged: own('firstName', 'lastName'),
  BioChanged: own('bio'),
  PlaceChanged: own('city', 'state', 'location'),
  HeightChanged: own('height'),
  OrientationChanged: own('orientation'),
  GenderChanged: own('gender'),
  InterestsSet: own('interests'),
  HobbiesSet: own('hobbies'),
  TastesSet: own('likes', 'dislikes'),
  PhoneChanged: own('phone'),
  LookingForChanged: own('lookingFor'),
  InterestedInChanged: own('interestedIn'),
  PreferencesChanged: own('preferences'),
  VibeChanged: own('vibe'),
  TimezoneChanged: own('timezone'),
  VisibilityModeChanged: own('visibilityMode'),
  VisibilityChanged: own('visibility'),
  PhotoBlurChanged: own('blur'),
  FieldVisibilitySet: own('fieldVisibility'),
  MediaAdded: own('media', 'kind', 'caption', 'privacy'),
  MediaRemoved: own('media'),
  MediaPrivacyChanged: own('media', 'privacy'),
  AvatarChosen: own('media'),
  VoiceIntroSet: own('media'),
  VoiceIntroRemoved: own(),
  Buzzed: { whose: 'from', fields: into(HISTORY, 'from', 'to', 'via', 'at') },
  BuzzWithdrawn: { whose: 'from', fields: into(HISTORY, 'from', 'to', 'at') },
  Skipped: done('until'),
  SkipUndone: done(),
  Matched: { whose: 'members', fields: into(HISTORY, 'members', 'at') },
  Unmatched: done(),
  Blocked: done(),
  Unblocked: done(),
  MessageSent: {
    whose: 'members',
    fields: into('messages/', 'message', 'number', 'from', 'to', 'text', 'media', 'at'),
  },
  MessagesRead: { whose: 'by', fields: into(HISTORY, 'by', 'other', 'upTo', 'number', 'at') },
  NotificationRead: own('notification'),
  AllNotificationsRead: own('upTo', 'notifications'),
  NotificationRemoved: own('notification'),
  MemberReported: reported,
  ReportAmended: reported,
  ReportClosed: { whose: 'by', fields: into('reports.json', 'report', 'by', 'target', 'outcome', 'at') },
  EvidenceDestroyed: { whose: 'by', fields: into('reports.json', 'report', 'by', 'target', 'at') },
  AccountViewed: audit('view'),
  FieldsRevealed: audit('reason', 'until'),
  HistoryExported: audit('events'),
  AccountSearched: {
    whose: 'auditor',
    fields: { ...into(HISTORY, 'auditor', 'at', 'asked', 'found'), ...out(OTHER, 'address') },
  },
}

/** The names of an event's fields that go into a file of the export. */
export function fieldsIn(path: string, type: string): readonly string[] {
  return Object.entries<Destination>(EVENTS[type]?.fields ?? {}).flatMap(([name, destination]) =>
    'in' in destination && destination.in === path ? [name] : [],
  )
}

/** What no export holds, and why, in the words of the readable page: each reason once. */
export function leftOut(): string[] {
  const all: readonly Readonly<Record<string, Destination>>[] = [
    ...Object.values(EVENTS).map(({ fields }) => fields),
    ...Object.values(APP_TABLES),
  ]
  const reasons = all.flatMap((fields) =>
    Object.values(fields).flatMap((destination: Destination) => ('not' in destination ? [destination.not] : [])),
  )
  return [...new Set(reasons)]
}
