// Answers navigations without network by one page that knows nobody. It keeps that page, its style, script and fonts, and
// nothing that a member sees. A release with OFF set to true takes it out of every browser that has it.
const OFF = false
const CACHE = 'offline-1'
const PAGE = '/offline.html'
const FILES = [PAGE, '/offline.css', '/offline.js', '/favicon.svg']
const FONTS = '/offline-fonts/'

self.addEventListener('install', (event) => {
  self.skipWaiting()
  if (!OFF) event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map(fresh))))
})

self.addEventListener('activate', (event) => event.waitUntil(OFF ? leave() : begin()))

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (OFF || origin !== self.location.origin) return
  if (event.request.method !== 'GET') return
  if (event.request.mode === 'navigate') event.respondWith(navigate(event))
  else if (FILES.includes(pathname) || pathname.startsWith(FONTS)) event.respondWith(kept(event.request, pathname))
})

self.addEventListener('message', (event) => {
  const { fonts } = event.data ?? {}
  if (!OFF && Array.isArray(fonts)) event.waitUntil(keepFonts(fonts))
})

const fresh = (path) => new Request(path, { cache: 'no-cache' })

async function begin() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
  await self.registration.navigationPreload?.enable()
}

async function leave() {
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
  await self.registration.unregister()
}

async function navigate({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch {
    return (await caches.match(PAGE)) ?? Response.error()
  }
}

// The network first: a page that is online shows what is there.
async function kept(request, pathname) {
  const stored = await caches.match(pathname)
  if (pathname.startsWith(FONTS)) return stored ?? Response.error()
  return fetch(request).catch(() => stored ?? Response.error())
}

// A font is a file of the build, whose name changes with its content.
async function keepFonts(addresses) {
  const cache = await caches.open(CACHE)
  for (const address of addresses) {
    const { origin, pathname } = new URL(address, self.location.href)
    const name = /^\/assets\/(figtree|fraunces)-[\w.-]+\.woff2$/.exec(pathname)?.[1]
    const key = `${FONTS}${name}.woff2`
    if (origin !== self.location.origin || !name || (await cache.match(key))) continue
    const font = await fetch(pathname)
    if (font.ok) await cache.put(key, font)
  }
}
