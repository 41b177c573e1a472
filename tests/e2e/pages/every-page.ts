import type { Page } from 'playwright'
import { expect } from 'playwright/test'
import type { Person } from '../../support/world-people.ts'
import { type Cast, NOBODY } from './cast.ts'
import { townField } from './journey.ts'
import { leaveOnItsWay } from './on-its-way.ts'

/** A page in one situation. `name` names it in reports. */
export type Stop = {
  name: string
  path: string
  as?: Person
  /** With the right to register. */
  registering?: true
  /** Is answered 4xx or not at all, and the browser logs that on its console. */
  refused?: true
  /** What to do there before looking. */
  act?: (page: Page) => Promise<void>
}

const open = (selector: string) => (page: Page) => page.locator(selector).first().click()
const sent = (button: string) => async (page: Page) => {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByText(/needs? another look/).waitFor()
}
const coded = (email: string) => async (page: Page) => {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: /code/i }).click()
  await page.getByLabel('6-digit code').waitFor()
}

/** A card that is too wide for itself moves what it shows aside as soon as something at its end has the focus. */
const cardStandsStill = async (page: Page) => {
  await page.getByRole('link', { name: /^More about/ }).focus()
  expect(
    await page
      .locator('.deck-card')
      .first()
      .evaluate((card) => card.scrollLeft),
  ).toBe(0)
}

/** Gives the right password, and meets the page that asks for the code. */
const signingIn =
  ({ email, password }: Person, then?: (page: Page) => Promise<void>) =>
  async (page: Page) => {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await then?.(page)
  }
const recovery = async (page: Page) => {
  await page.getByRole('link', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').waitFor()
}

const visitor = ({ guarded }: Cast): readonly Stop[] => [
  { name: 'code', path: '/login', act: signingIn(guarded) },
  { name: 'code-refused', path: '/login', refused: true, act: signingIn(guarded, sent('Log in')) },
  { name: 'code-recovery', path: '/login', act: signingIn(guarded, recovery) },
  { name: 'landing', path: '/' },
  { name: 'landing-goodbye', path: '/?goodbye' },
  { name: 'login', path: '/login' },
  { name: 'login-refused', path: '/login', refused: true, act: sent('Log in') },
  { name: 'forgot-dialog', path: '/login?forgot' },
  { name: 'forgot', path: '/forgot-password' },
  { name: 'forgot-expired', path: '/forgot-password?link=unknown' },
  { name: 'forgot-code', path: '/forgot-password', act: coded('nobody@example.com') },
  { name: 'signup', path: '/signup' },
  { name: 'signup-refused', path: '/signup?refused=age' },
  {
    name: 'signup-code',
    path: '/signup',
    act: coded(`someone.${Date.now()}.with.a.long.address@some.where.example.com`),
  },
  { name: 'privacy', path: '/privacy' },
  { name: 'terms', path: '/terms' },
  { name: 'contact', path: '/contact' },
  { name: 'parts', path: '/dev/gallery' },
  ...['three', 'two', 'settings', 'stage'].map((frame) => ({
    name: `frame-${frame}`,
    path: `/dev/gallery?frame=${frame}`,
  })),
  { name: 'overlays', path: '/dev/gallery/overlays' },
  ...['panel', 'confirm', 'story=1&at=0', 'story=2&at=2'].map((asked) => ({
    name: `overlay ${asked}`,
    path: `/dev/gallery/overlays?${asked}`,
  })),
  { name: 'popover', path: '/dev/gallery/overlays', act: open('.popover-button') },
  { name: 'media', path: '/dev/gallery/media' },
  { name: 'compose', path: '/dev/gallery/compose' },
  { name: 'parts-lists', path: '/dev/gallery/lists?kind=Likes&sound=on' },
  { name: 'parts-social', path: '/dev/gallery/social?reaction=fire' },
  { name: 'parts-reactions', path: '/dev/gallery/social?reaction=fire', act: open('.reaction-picker summary') },
  { name: 'parts-step', path: '/dev/gallery/social?step=2' },
  { name: 'parts-tokens', path: '/dev/gallery/tokens' },
]

const WIZARD: readonly Stop[] = [
  { name: 'signup-started', path: '/signup', registering: true },
  ...[1, 2, 3, 4, 5, 6].map((step) => ({
    name: `register-${step}`,
    path: `/register?step=${step}`,
    registering: true as const,
  })),
]

function main({ mia, lone, jon, lea, long, gone }: Cast): Stop[] {
  const whichTown = async (page: Page) => {
    await (await townField(page)).fill('San')
    await page.getByRole('button', { name: 'Set' }).click()
    await page.locator('.field-error', { hasText: 'There is more than one.' }).waitFor()
  }
  return [
    { name: 'greeting', path: '/', as: mia },
    { name: 'discover', path: '/discover', as: mia },
    { name: 'discover-long', path: '/discover?ageMin=60&ageMax=70', as: lea, act: cardStandsStill },
    { name: 'discover-filters', path: '/discover', as: mia, act: open('.deck-filters summary') },
    { name: 'discover-costly', path: '/discover?ageMin=99&ageMax=100', as: mia },
    { name: 'discover-no-location', path: '/discover', as: lone },
    { name: 'discover-which-town', path: '/discover', as: lone, refused: true, act: whichTown },
    { name: 'match', path: `/match/${jon.id}`, as: mia },
    { name: 'match-long', path: `/match/${long.id}`, as: mia },
    { name: 'chats', path: '/chat', as: mia },
    { name: 'chats-none', path: '/chat', as: lone },
    { name: 'chats-not-found', path: '/chat?q=zzz', as: mia },
    { name: 'chat', path: `/chat/${jon.id}`, as: mia },
    { name: 'chat-menu', path: `/chat/${jon.id}`, as: mia, act: open('.room-head summary') },
    { name: 'chat-message-menu', path: `/chat/${jon.id}`, as: mia, act: open('.message:last-child summary') },
    { name: 'chat-empty', path: `/chat/${lea.id}`, as: mia },
    { name: 'chat-long', path: `/chat/${long.id}`, as: mia },
    { name: 'chat-sending', path: `/chat/${jon.id}`, as: mia, act: (page) => leaveOnItsWay(page, 'On its way') },
    { name: 'chat-gone', path: `/chat/${gone.id}`, as: mia },
    { name: 'notifications', path: '/notifications', as: mia },
    { name: 'notifications-menu', path: '/notifications', as: mia, act: open('.notice summary') },
    { name: 'notifications-none', path: '/notifications', as: lone },
  ]
}

function people({ mia, jon, long, kay, locked, preview, full, buzzer }: Cast): Stop[] {
  return [
    { name: 'person-matched', path: `/viewProfile/${jon.id}`, as: mia },
    { name: 'person-menu', path: `/viewProfile/${jon.id}`, as: mia, act: open('.person-title summary') },
    { name: 'person-picture', path: `/viewProfile/${jon.id}`, as: mia, act: open('.person-tile') },
    { name: 'person-long', path: `/viewProfile/${long.id}`, as: mia },
    { name: 'person-locked', path: `/viewProfile/${locked.id}`, as: mia },
    { name: 'person-preview', path: `/viewProfile/${preview.id}`, as: mia },
    { name: 'person-full', path: `/viewProfile/${full.id}`, as: mia },
    { name: 'person-buzzed-me', path: `/viewProfile/${buzzer.id}`, as: mia },
    { name: 'person-blocked', path: `/viewProfile/${kay.id}`, as: mia },
    { name: 'view', path: `/view/${full.id}`, as: mia },
    { name: 'preview', path: `/preview/${jon.id}`, as: mia },
    { name: 'report', path: `/report/${jon.id}`, as: mia },
    { name: 'report-empty', path: `/report/${jon.id}`, as: mia, refused: true, act: sent('Send report') },
    { name: 'report-sent', path: `/report/${jon.id}?sent=${NOBODY}`, as: mia },
    { name: 'block', path: `/block/${long.id}`, as: mia },
    { name: 'blocked', path: `/block/${kay.id}`, as: mia },
    { name: 'unmatch', path: `/unmatch/${long.id}`, as: mia },
  ]
}

function own({ mia, lone, long, left, guarded }: Cast): Stop[] {
  return [
    { name: 'profile', path: '/profile', as: mia },
    { name: 'profile-plain', path: '/profile', as: lone },
    { name: 'profile-long', path: '/profile', as: long },
    { name: 'profile-matches', path: '/profile?show=matches', as: mia },
    { name: 'profile-liked-none', path: '/profile?show=liked', as: lone },
    { name: 'gallery', path: '/profile/gallery', as: mia },
    { name: 'gallery-menu', path: '/profile/gallery', as: mia, act: open('.gallery summary') },
    { name: 'edit', path: '/profile/edit', as: mia },
    { name: 'edit-long', path: '/profile/edit', as: long },
    ...['about', 'interests', 'tastes', 'voice', 'meet', 'looking'].map((section) => ({
      name: `edit-${section}`,
      path: `/profile/edit?section=${section}`,
      as: long,
    })),
    ...['stranger', 'match', 'everyone'].map((audience) => ({
      name: `seen-${audience}`,
      path: `/profile/seen/${audience}`,
      as: mia,
    })),
    { name: 'seen-long', path: '/profile/seen/match', as: long },
    { name: 'who-sees-you', path: '/profile/privacy', as: mia },
    { name: 'who-sees-what', path: '/profile/privacy?section=audience', as: mia },
    { name: 'your-location', path: '/settings/location', as: mia },
    { name: 'your-location-none', path: '/settings/location', as: lone },
    { name: 'forget-location', path: '/settings/location?confirm=forget', as: mia },
    { name: 'your-data', path: '/settings/export', as: mia },
    { name: 'manage-account', path: '/settings/delete', as: mia },
    { name: 'manage-account-guarded', path: '/settings/delete', as: guarded },
    { name: 'deactivate', path: '/settings/delete?confirm=deactivate', as: mia },
    { name: 'delete-account', path: '/settings/delete?confirm=delete', as: mia },
    { name: 'deactivated', path: '/settings/delete', as: left },
  ]
}

function team({ staff, mia, long, gone, lone }: Cast): Stop[] {
  const unseal = (reason: string, answer: string) => async (page: Page) => {
    await page.getByText('Sealed fields are closed').click()
    await page.getByLabel('Why do you need to read them?').fill(reason)
    await page.getByRole('button', { name: 'Open sealed fields' }).click()
    await page.getByText(answer).first().waitFor()
  }
  const opened = unseal('A complaint of a member, number 17', 'is open to you until')
  const noReason = unseal('', 'Say why you need to read')
  const as = staff
  return [
    { name: 'audit', path: '/audit', as },
    { name: 'audit-nobody', path: '/audit?q=nobody%40example.com', as, refused: true },
    { name: 'audit-timeline', path: `/audit/${mia.id}`, as },
    { name: 'audit-cause', path: `/audit/${lone.id}`, as, act: open('.event summary') },
    { name: 'audit-none', path: `/audit/${lone.id}?from=2099-01-01`, as },
    { name: 'audit-gone', path: `/audit/${gone.id}`, as },
    { name: 'audit-no-reason', path: `/audit/${long.id}`, as, refused: true, act: noReason },
    { name: 'audit-opened', path: `/audit/${long.id}`, as, act: opened },
    { name: 'audit-state', path: `/audit/${long.id}/state?stream=profile-${long.id}`, as },
    { name: 'audit-difference', path: `/audit/${long.id}/state?stream=profile-${long.id}&fromRevision=0`, as },
    { name: 'audit-unclear', path: `/audit/${mia.id}/state?at=yesterday`, as },
    { name: 'audit-rows', path: `/audit/${mia.id}/rows`, as },
    { name: 'audit-rows-of-model', path: `/audit/${long.id}/rows?model=profiles`, as, act: open('.model-row summary') },
    { name: 'admin-projections', path: '/admin/projections', as },
  ]
}

function refused({ mia, hidden, full }: Cast): Stop[] {
  const noAnswer = async (page: Page) => {
    await page.route(/\.data/, (route) => route.abort())
    await page.getByRole('link', { name: 'Edit Profile' }).click()
    await page.getByRole('heading', { name: 'No connection' }).waitFor()
    // React replaces the whole document here, so its sheets load again.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet),
    )
    await page.unrouteAll()
  }
  return [
    { name: 'nobody', path: `/viewProfile/${NOBODY}`, as: mia, refused: true },
    { name: 'not-open', path: `/viewProfile/${hidden.id}`, as: mia, refused: true },
    { name: 'preview-nobody', path: `/preview/${NOBODY}`, as: mia, refused: true },
    { name: 'no-room', path: `/chat/${full.id}`, as: mia, refused: true },
    { name: 'no-match', path: `/match/${full.id}`, as: mia, refused: true },
    { name: 'no-answer', path: '/profile', as: mia, refused: true, act: noAnswer },
  ]
}

/** Every page that a visitor or member can reach, with nothing, with much, and with what is too long. */
export const EVERY_PAGE: Readonly<Record<string, (cast: Cast) => readonly Stop[]>> = {
  'for visitors': visitor,
  'in the wizard': () => WIZARD,
  'where members meet': main,
  'of other members': people,
  'of oneself': own,
  'of the team': team,
  'that refuse': refused,
}
