/** A path of our own to go back to: anything that could leave the site becomes the fallback. */
export function ownPath(value: unknown, fallback = '/'): string {
  if (typeof value !== 'string' || !value.startsWith('/')) return fallback
  const base = 'http://own.invalid'
  if (value.includes('\\') || !URL.canParse(value, base)) return fallback
  const url = new URL(value, base)
  // A path like `/.//elsewhere` loses its dot on the way, and two slashes at the start name another host.
  const isOwn = url.origin === base && !url.pathname.startsWith('//')
  return isOwn ? url.pathname + url.search + url.hash : fallback
}
