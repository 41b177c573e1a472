import type { EventNamed, EventType } from '../../domain/all-events.ts'
import { DEFAULT_FIELD_VISIBILITY } from '../../domain/profile/choices.ts'
import { AddressId, MessageId } from '../../domain/shared/ids.ts'
import { ann, bea, mediaId, minute, started, T0 } from './people.ts'
import { positionAt } from './recorded.ts'

type Samples = { readonly [T in EventType]: Omit<EventNamed<T>, 'type'> }
const at = T0
const mine = { member: ann, at }
const pair = { by: ann, target: bea, at }
const address = AddressId.parse('addresszzzzzzzzzzzzzzzzz')
const report = 'reportzzzzzzzzzzzzzzzzzz'
const message = MessageId.parse('message-1')
const notification = 'notificationzzzzzzzzzzzz' as EventNamed<'NotificationRead'>['notification']
const { type: _started, ...startedFields } = started('Ann', { phone: '+14155550123' })
const reported: Omit<EventNamed<'MemberReported'>, 'type'> = {
  report: report as EventNamed<'MemberReported'>['report'],
  ...pair,
  message,
  media: mediaId('Bea1'),
  reason: 'Asks for money',
  evidence: {
    profile: { firstName: 'Bea', bio: 'Hi', photos: [mediaId('Bea1')] },
    messages: [{ id: message, from: bea, text: 'Send me money', sentAt: at.toISOString() }],
  },
}

const identity = {
  EmailReserved: { address, member: ann, until: minute(30), at },
  EmailConfirmed: { address, ...mine },
  EmailReleased: { address, ...mine },
  MemberRegistered: { ...mine, email: 'ann@example.com', termsVersion: '1', demo: false },
  AccountDeactivated: mine,
  AccountReactivated: mine,
  AccountSuspended: { ...mine, reason: 'Underage' },
  AccountReinstated: mine,
  AccountErased: mine,
  ErasureCertified: { ...mine, keyDestroyedAt: minute(1), places: 12 },
  PasswordChanged: { ...mine, how: 'reset' as const },
  SessionsRevoked: {
    ...mine,
    sessions: ['sessionzzzzzzzzzzzzzzzzz' as EventNamed<'SessionsRevoked'>['sessions'][number]],
  },
  SignedInOnNewDevice: mine,
  SecondFactorChanged: { ...mine, how: 'turned-on' as const },
  RecoveryCodeUsed: { ...mine, left: 9 },
  SecondFactorRefused: mine,
  RoleGranted: { ...mine, role: 'auditor' as const, by: 'admin:cli' },
  RoleRevoked: { ...mine, role: 'auditor' as const, by: 'admin:cli' },
}

const profile = {
  ProfileStarted: startedFields,
  NameChanged: { ...mine, firstName: 'Anna', lastName: 'Müller 🙂' },
  BioChanged: { ...mine, bio: 'Line one\nline two' },
  PlaceChanged: { ...mine, city: 'Paris', state: '', location: 'Paris, France' },
  HeightChanged: { ...mine, height: 171 },
  OrientationChanged: { ...mine, orientation: 'Straight' },
  GenderChanged: { ...mine, gender: 'Non-binary' },
  InterestsSet: { ...mine, interests: ['Music', 'Bird watching'] },
  HobbiesSet: { ...mine, hobbies: ['Hiking'] },
  TastesSet: { ...mine, likes: ['Rain'], dislikes: ['Noise'] },
  PhoneChanged: { ...mine, phone: '+14155550123' },
  LookingForChanged: { ...mine, lookingFor: 'friends' },
  InterestedInChanged: { ...mine, interestedIn: ['male', 'other'] },
  PreferencesChanged: { ...mine, preferences: { ageRange: [20, 40] as [number, number], distanceMiles: 25 } },
  VibeChanged: { ...mine, vibe: 'chill' },
  TimezoneChanged: { ...mine, timezone: 'Europe/Paris' },
  VisibilityModeChanged: { ...mine, visibilityMode: 'limited' as const },
  VisibilityChanged: { ...mine, visibility: 'invisible' as const },
  PhotoBlurChanged: { ...mine, blur: 'blurred' as const },
  FieldVisibilitySet: { ...mine, fieldVisibility: { ...DEFAULT_FIELD_VISIBILITY, age: 'hidden' as const } },
  MediaAdded: { ...mine, media: mediaId('Ann1'), kind: 'image' as const, caption: 'Me', privacy: 'public' as const },
  MediaRemoved: { ...mine, media: mediaId('Ann1') },
  MediaPrivacyChanged: { ...mine, media: mediaId('Ann1'), privacy: 'private' as const },
  AvatarChosen: { ...mine, media: mediaId('Ann1') },
  VoiceIntroSet: { ...mine, media: mediaId('AnnVoice') },
  VoiceIntroRemoved: mine,
}

/** One of every event, in its latest form: a new event does not compile until it stands here. */
export const samples: Samples = {
  ...identity,
  ...profile,
  Buzzed: { from: ann, to: bea, via: 'discover', at },
  BuzzWithdrawn: { from: ann, to: bea, at },
  Skipped: { ...pair, until: minute(10) },
  SkipUndone: pair,
  Matched: { members: [ann, bea], at },
  Unmatched: pair,
  Blocked: pair,
  Unblocked: pair,
  MessageSent: { message, number: 1, from: ann, to: bea, text: 'Hello 🙂', media: mediaId('Chat'), at },
  MessagesRead: { by: bea, other: ann, upTo: message, number: 1, at },
  NotificationRead: { ...mine, notification },
  AllNotificationsRead: { ...mine, upTo: positionAt(7), notifications: [notification] },
  NotificationRemoved: { ...mine, notification },
  MemberReported: reported,
  ReportAmended: reported,
  ReportClosed: { report: reported.report, ...pair, outcome: 'no-action' },
  EvidenceDestroyed: { report: reported.report, ...pair },
  AccountViewed: { auditor: bea, member: ann, view: 'timeline', at },
  FieldsRevealed: { auditor: bea, member: ann, reason: 'A complaint', until: minute(15), at },
  HistoryExported: { auditor: bea, member: ann, events: 7, at },
  AccountSearched: { auditor: bea, asked: 'k'.repeat(43), address: null, found: 0, at },
}
