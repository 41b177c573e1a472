import { Link, useFetcher, useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { FormReply } from '../forms/reply.ts'
import { LinkButton } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { useRefusalToast } from '../ui/feedback/use-refusal-toast.ts'
import { Menu, MenuButton } from '../ui/menu.tsx'
import { Logo } from '../ui/picture/logo.tsx'
import { Going } from './going.tsx'
import { Nav } from './nav.tsx'
import { isBare, type ShellMember, SIGNOUT_FETCHER } from './shell.ts'
import { ThemeToggle } from './theme-toggle.tsx'
import { usePageFocus } from './use-page-focus.ts'
import { useHandle, useRoot } from './use-shell.ts'
import './app-shell.css'
import './page-bar.css'

/**
 * A POST, so that no link or prefetch signs anybody out; where it gets no answer, the page stays and reports it. Remix
 * finds the routes of a fetcher's form by `data-discover` alone: what sends it is there before it is pressed.
 */
function SignoutForm({ children }: { children: ReactNode }) {
  const fetcher = useFetcher<FormReply>({ key: SIGNOUT_FETCHER })
  useRefusalToast(fetcher.data)
  return (
    <fetcher.Form method="post" action="/signout" className="signout" data-discover="true">
      {children}
    </fetcher.Form>
  )
}

function MemberActions() {
  return (
    <>
      <div className="from-tablet row">
        <ThemeToggle />
        <SignoutForm>
          <button type="submit" className="button button-quiet">
            Signout
          </button>
        </SignoutForm>
      </div>
      <div className="to-tablet">
        <Menu label="Menu" icon="menu">
          <ThemeToggle look="row" />
          <SignoutForm>
            <MenuButton icon="log-out">Signout</MenuButton>
          </SignoutForm>
        </Menu>
      </div>
    </>
  )
}

/** `Login` is the word of spec 1 §2; elsewhere the verb is `Log in`. */
function VisitorActions() {
  return (
    <div className="row">
      <ThemeToggle />
      <LinkButton to="/login" tone="quiet">
        Login
      </LinkButton>
    </div>
  )
}

/** `children`: nothing on an error page that does not know who looks, where only a member or only a visitor would get it. */
function TopBar({ children }: { children: ReactNode }) {
  return (
    <header className="top-bar">
      <div className="top-bar-inside">
        <Link to="/" className="home-link" aria-label="LetsBuzz, start page">
          <Logo />
        </Link>
        {children}
      </div>
    </header>
  )
}

function BarActions({ member }: { member: ShellMember | null }) {
  return (
    <>
      {member?.status === 'active' ? <Nav member={member} position="top" /> : <span className="spring" />}
      {member ? <MemberActions /> : <VisitorActions />}
    </>
  )
}

type AppShellProps = {
  /** What holds for every page: stands below the top bar. */
  notice?: ReactNode
  children: ReactNode
}

/** The frame around every page: skip link, bars, and the one `main`. */
export function AppShell({ notice, children }: AppShellProps) {
  const { pathname } = useLocation()
  const handle = useHandle()
  const root = useRoot()
  usePageFocus()
  const member = root?.member ?? null
  const bare = handle.frame === 'bare' || isBare(pathname)
  const bottomBar = !bare && member?.status === 'active' && !handle.hideBottomBar
  return (
    <div className={classes('shell', handle.fill && 'shell-fill', bottomBar && 'shell-bottom', bare && 'shell-bare')}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      {handle.skipTo ? (
        <a className="skip-link" href="#message">
          {handle.skipTo}
        </a>
      ) : null}
      <Going />
      {bare ? null : <TopBar>{root ? <BarActions member={member} /> : null}</TopBar>}
      {notice}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {bottomBar ? <Nav member={member} position="bottom" /> : null}
    </div>
  )
}
