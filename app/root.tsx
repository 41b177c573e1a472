// First, so that the order of the layers is defined before any other sheet.
import './styles/app.css'
import figtreeUrl from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import frauncesUrl from '@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2?url'
import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from '@remix-run/react'
import type { ReactNode } from 'react'
import { carriedReply } from './forms/carried-reply.server.ts'
import { NOTE_EARLY } from './forms/kept/early.ts'
import { useStoppedForms } from './forms/use-stopped-forms.ts'
import { LiveRoot } from './live/live-root.tsx'
import { OfflineStrip } from './live/offline-strip.tsx'
import { AppShell } from './shell/app-shell.tsx'
import { useNonce } from './shell/nonce.tsx'
import { pageTitle } from './shell/page-title.ts'
import { type RootData, readsForSheet } from './shell/shell.ts'
import { themeOf } from './shell/theme.server.ts'
import { useEarlyHands } from './shell/use-early-hands.ts'
import { useShellMember } from './shell/use-shell.ts'
import { useTheme } from './shell/use-theme.ts'
import { ErrorPage } from './ui/feedback/error-page.tsx'
import { ToastProvider } from './ui/feedback/toast.tsx'
import { NOTE_LEAVING } from './ui/leaving.ts'
import { onDemand } from './ui/on-demand.tsx'

const font = (href: string) => ({
  rel: 'preload',
  href,
  as: 'font',
  type: 'font/woff2',
  crossOrigin: 'anonymous' as const,
})

export const links: LinksFunction = () => [
  font(figtreeUrl),
  font(frauncesUrl),
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
]

export const meta: MetaFunction = () => pageTitle()

/** What the frame shows, and the server's time, so that relative times render the same on both sides. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<RootData> {
  const [member, theme, carried] = await Promise.all([context.shell(), themeOf(request), context.carried()])
  return {
    member,
    theme,
    mode: context.mode,
    now: context.now().toISOString(),
    pos: context.shown(),
    epoch: context.epoch(),
    behind: context.behind(),
    carried: carried && { path: carried.path, reply: carriedReply(carried.fields) },
  }
}

export { readsForSheet as shouldRevalidate }

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce()
  const theme = useTheme()
  return (
    <html lang="en" data-theme={theme === 'buzz' ? 'buzz' : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={theme === 'buzz' ? 'dark' : 'light dark'} />
        <script nonce={nonce} suppressHydrationWarning>
          {import.meta.env.SSR ? `${NOTE_LEAVING};${NOTE_EARLY}` : ''}
        </script>
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  )
}

function Forms() {
  useEarlyHands()
  useStoppedForms()
  return null
}

/** One file, so that a page that fails without network has loaded it before. */
const kept = () => import('./shell/kept/keeping.tsx')
const Keeping = onDemand(async () => (await kept()).Keeping)
const LastQueue = onDemand(async () => (await kept()).LastQueue)

export default function App() {
  // What one member typed is on no page of another one.
  const whose = useShellMember()?.id
  return (
    <ToastProvider>
      <LiveRoot>
        <Forms />
        <AppShell
          notice={
            <>
              <OfflineStrip />
              <Keeping />
            </>
          }
        >
          <Outlet key={whose} />
        </AppShell>
      </LiveRoot>
    </ToastProvider>
  )
}

/** Stays live: a page that failed while a session ended leads to the login like any other. */
export function ErrorBoundary() {
  return (
    <ToastProvider>
      <LiveRoot>
        <AppShell notice={<OfflineStrip />}>
          <ErrorPage kept={<LastQueue />} />
        </AppShell>
      </LiveRoot>
    </ToastProvider>
  )
}
