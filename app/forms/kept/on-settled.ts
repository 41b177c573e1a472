import { SETTLED, type Settled } from '../settled.ts'
import { takeEarly } from './early.ts'

/** `led-away`: nothing of it was done, since whoever sent it has to sign in, or to come back to their account, first. */
export type Ended = Omit<Settled, 'how'> & { readonly how: Settled['how'] | 'led-away' }

/** Calls the handler for each form that settled, first for those of before (`isEarly`); answers what ends that. */
export function onSettled(handler: (ended: Ended, isEarly?: boolean) => void): () => void {
  const endOf = (settled: Settled): Ended => (isLedAway(settled) ? { ...settled, how: 'led-away' } : settled)
  const listen = (event: Event) => handler(endOf((event as CustomEvent<Settled>).detail))
  for (const settled of takeEarly('settled') ?? []) handler(endOf(settled), true)
  window.addEventListener(SETTLED, listen)
  return () => window.removeEventListener(SETTLED, listen)
}

/** Staff pages lead whoever is signed out to the start, as paths do that do not exist. */
function isLedAway({ to, path }: Settled): boolean {
  if (!to) return false
  const { pathname } = new URL(to, location.href)
  if (pathname === '/settings/delete') return path !== pathname
  return pathname === '/login' || (pathname === '/' && /^\/(audit|admin)\b/.test(path))
}
