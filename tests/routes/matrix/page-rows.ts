import { CALLERS, type CallerKind, type Relation } from './relations.ts'

/** `200`, `404`, or a redirect with where it leads. `:me` and `:id` stand for the caller and the target. */
export type Outcome = `${number}` | `302 /${string}`
type Who = CallerKind | 'member'
type ByWho = Readonly<Record<Who, Outcome>>

/** One page or form target: its route, and what each visitor meets. A route without a row fails the inventory. */
export type PageRow = {
  readonly route: string
  /** `:id` is a target. */
  readonly path: `/${string}`
  readonly get: ByWho
  /** An empty form. Absent where the route has no action. */
  readonly post?: ByWho
  /** For a member, by what the target is to them. */
  readonly targets?: { readonly default: Outcome } & Partial<Record<Relation, Outcome>>
  /** A target's last name may be in the page for these. */
  readonly names?: readonly Relation[]
}

const all = (outcome: Outcome): ByWho =>
  Object.fromEntries([...CALLERS, 'member'].map((who) => [who, outcome])) as Record<Who, Outcome>
const LOGIN = all('302 /login')
/** For members: visitors to sign in, deactivated ones to Manage Account. */
const members = (outcome: Outcome): ByWho => ({ ...LOGIN, member: outcome, deactivatedCaller: '302 /settings/delete' })
const viewers = (outcome: Outcome): ByWho => ({ ...LOGIN, member: outcome, deactivatedCaller: outcome })
/** For visitors: who is signed in goes to Discover. */
const visitors = (outcome: Outcome): ByWho => ({
  ...all(outcome),
  member: '302 /discover',
  deactivatedCaller: '302 /discover',
})

const open = (route: string, path: PageRow['path'], outcome: Outcome = '200'): PageRow => ({
  route,
  path,
  get: all(outcome),
})

/** For those with a role: to everybody else it is not there. `staff-pages.test.ts` goes in with the role. */
const staff = (route: string, path: PageRow['path'], more: Partial<PageRow> = {}): PageRow => ({
  route,
  path,
  get: all('302 /'),
  post: all('302 /'),
  ...more,
})
const audited: Partial<PageRow> = { targets: { default: '302 /' } }

const SEEN = ['matched', 'hiddenMatched'] as const
const NOBODY = { suspended: '404', suspendedMatched: '404', gone: '404', goneMatched: '404', unknown: '404' } as const
const profile = {
  default: '200',
  self: '302 /profile',
  blockedMe: '403',
  hidden: '403',
  hiddenLikedMe: '403',
  deactivated: '403',
  deactivatedMatched: '403',
  ...NOBODY,
} as const
const person = (name: string): PageRow => ({
  route: `routes/${name}.$userId`,
  path: `/${name}/:id`,
  get: members('200'),
  post: members('400'),
  targets: profile,
  names: name === 'preview' ? [] : SEEN,
})

export const PAGE_ROWS: readonly PageRow[] = [
  open('root', '/terms'),
  open('routes/_index', '/'),
  { ...open('routes/$', '/nowhere-at-all', '302 /'), post: all('302 /') },
  open('routes/contact', '/contact'),
  open('routes/privacy', '/privacy'),
  open('routes/terms', '/terms'),
  open('routes/dev.gallery', '/dev/gallery'),
  {
    ...open('routes/dev.gallery_.overlays', '/dev/gallery/overlays'),
    post: all('302 /dev/gallery/overlays?confirmed'),
  },
  open('routes/dev.gallery_.media', '/dev/gallery/media'),
  open('routes/dev.gallery_.compose', '/dev/gallery/compose'),
  open('routes/dev.gallery_.lists', '/dev/gallery/lists'),
  open('routes/dev.gallery_.social', '/dev/gallery/social'),
  open('routes/dev.gallery_.tokens', '/dev/gallery/tokens'),
  { ...open('routes/openapi[.]json', '/openapi.json'), post: all('405') },
  { ...open('routes/theme', '/theme', '302 /'), post: all('302 /') },
  { ...open('routes/signout', '/signout', '302 /'), post: all('302 /') },
  { ...open('routes/media-upload', '/media-upload', '302 /'), post: { ...visitors('302 /signup'), member: '400' } },
  { route: 'routes/login', path: '/login', get: visitors('200'), post: visitors('400') },
  { route: 'routes/login_.code', path: '/login/code', get: visitors('302 /login'), post: visitors('302 /login?over=') },
  { route: 'routes/auth.google', path: '/auth/google', get: visitors('302 /login'), post: visitors('302 /') },
  { route: 'routes/auth.google_.callback', path: '/auth/google/callback', get: visitors('302 /') },
  { route: 'routes/signup', path: '/signup', get: visitors('200'), post: visitors('400') },
  { route: 'routes/forgot-password', path: '/forgot-password', get: all('200'), post: all('400') },
  { route: 'routes/register', path: '/register', get: visitors('302 /signup'), post: visitors('302 /signup') },
  {
    route: 'routes/register_.media.$id',
    path: '/register/media/0123456789abcdefghijklmn',
    get: visitors('302 /signup'),
  },
  { ...open('routes/register_.draft', '/register/draft?step=1', '302 /'), post: visitors('302 /signup') },
  { route: 'routes/discover', path: '/discover', get: members('200'), post: members('400') },
  { route: 'routes/notifications', path: '/notifications', get: members('200'), post: members('400') },
  { route: 'routes/chat', path: '/chat', get: members('200'), names: SEEN },
  { route: 'routes/chat._index', path: '/chat', get: members('200'), names: SEEN },
  {
    route: 'routes/chat.$userId',
    path: '/chat/:id',
    get: members('200'),
    post: members('400'),
    targets: { default: '404', matched: '200', hiddenMatched: '200', goneMatched: '200' },
    names: SEEN,
  },
  {
    route: 'routes/chat_.$userId.earlier',
    path: '/chat/:id/earlier',
    get: members('200'),
    targets: { default: '404', matched: '200', hiddenMatched: '200', goneMatched: '200' },
  },
  {
    route: 'routes/match.$userId',
    path: '/match/:id',
    get: members('200'),
    targets: { default: '404', matched: '200', hiddenMatched: '200' },
  },
  {
    route: 'routes/news.$userId',
    path: '/news/:id',
    get: members('200'),
    targets: { default: '404', matched: '200', hiddenMatched: '200', likedMe: '200', hiddenLikedMe: '200' },
  },
  person('viewProfile'),
  person('view'),
  person('preview'),
  {
    route: 'routes/unmatch.$userId',
    path: '/unmatch/:id',
    get: members('200'),
    post: members('302 /profile?unmatched=:id&command=:any'),
    targets: {
      default: '302 /viewProfile/:id',
      self: '302 /profile',
      matched: '200',
      hiddenMatched: '200',
      ...NOBODY,
    },
  },
  {
    route: 'routes/block.$userId',
    path: '/block/:id',
    get: members('200'),
    post: members('302 /?blocked=:id'),
    targets: { default: '200', self: '302 /profile', ...NOBODY },
  },
  {
    route: 'routes/report.$userId',
    path: '/report/:id',
    get: members('200'),
    post: members('400'),
    targets: { default: '200', self: '302 /profile', unknown: '404' },
  },
  { route: 'routes/profile', path: '/profile', get: members('200') },
  { route: 'routes/profile._index', path: '/profile', get: members('200') },
  { route: 'routes/profile.gallery', path: '/profile/gallery', get: members('200'), post: members('400') },
  { route: 'routes/profile_.edit', path: '/profile/edit', get: members('200'), post: members('400') },
  { route: 'routes/profile_.seen.$audience', path: '/profile/seen/stranger', get: members('200') },
  { route: 'routes/profile_.privacy', path: '/profile/privacy', get: members('200'), post: members('400') },
  staff('routes/admin.projections', '/admin/projections'),
  staff('routes/audit._index', '/audit'),
  staff('routes/audit.$member._index', '/audit/:id', audited),
  staff('routes/audit.$member.state', '/audit/:id/state', audited),
  staff('routes/audit.$member.rows', '/audit/:id/rows', audited),
  staff('routes/audit.$member.export', '/audit/:id/export', audited),
  {
    route: 'routes/account.export.$id',
    path: '/account/export/0123456789abcdefghijklmn',
    get: members('302 /settings/export?gone=yes'),
  },
  { route: 'routes/settings.export', path: '/settings/export', get: members('200'), post: members('400') },
  { route: 'routes/settings.location', path: '/settings/location', get: members('200'), post: members('400') },
  { route: 'routes/settings.delete', path: '/settings/delete', get: viewers('200'), post: viewers('400') },
]
