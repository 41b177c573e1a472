import type { CookieName } from '../../request/cookie.server.ts'

/** What a cookie is for, and how long a browser keeps it. */
export type CookieWords = { readonly why: string; readonly kept: string }

export const COOKIES: Readonly<Record<CookieName, CookieWords>> = {
  '__Host-buzz': {
    why: 'keeps you signed in',
    kept: 'until you close the browser; 30 days with Remember Me, or after you register',
  },
  '__Host-device': {
    why: 'knows a browser that you signed in with, so that nobody who guesses at your password shuts you out of it, and a mail tells you of new ones',
    kept: '400 days',
  },
  '__Host-challenge': { why: 'waits for the code of your second factor', kept: '15 minutes' },
  '__Host-google': {
    why: 'knows a sign-in with Google when it comes back; one for each tab, with letters of its own behind the name',
    kept: '10 minutes',
  },
  '__Host-from': { why: 'knows where you came from when you sign in with Google', kept: '10 minutes' },
  '__Host-code': { why: 'has the address that a sign-up code was sent to', kept: '10 minutes' },
  '__Host-reset': { why: 'has the address that a code for a new password was asked for', kept: '10 minutes' },
  '__Host-signup': { why: 'shows that the address is yours while you register', kept: '2 hours' },
  '__Host-typed0': {
    why: 'has what you typed, sealed, while you log in again; for browsers without scripts',
    kept: '15 minutes',
  },
  '__Host-typed1': { why: 'has the rest of it', kept: '15 minutes' },
  '__Host-filters': { why: 'has the filters that you set in Discover', kept: '30 days' },
  '__Host-back': { why: 'knows whom you brought back in Discover', kept: '1 hour' },
  '__Host-theme': { why: 'remembers that you turned on Buzz Mode', kept: '400 days' },
  '__Host-splash': { why: 'remembers that you saw the start screen', kept: 'until you close the browser' },
  '__Host-pos': { why: 'shows you at once what you just changed', kept: '10 seconds' },
  '__Host-live': { why: 'shows you at once what others just changed', kept: '10 seconds' },
  '__Host-leaving': { why: 'lets your other tabs know that you are signing out', kept: '10 seconds' },
}
