import { data, type LoaderFunctionArgs } from '@remix-run/node'
import { Link, useLoaderData, useSearchParams } from '@remix-run/react'
import { cookieOf, hostCookie } from '../../request/cookie.server.ts'
import { openPage } from '../../request/guards.server.ts'
import { useShellMember } from '../../shell/use-shell.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { blockNews } from '../../ui/person/block-news.server.ts'
import { BlockNote } from '../../ui/person/block-note.tsx'
import { Greeting } from './greeting.tsx'
import { Splash } from './splash.tsx'
import { Welcome } from './welcome.tsx'
import './landing.css'

const splashCookie = hostCookie('__Host-splash')

export const meta = () => [
  { title: 'LetsBuzz: good company, closer than you think' },
  { name: 'description', content: 'Meet people nearby who are looking for the same thing. For adults, 18 and over.' },
]

/** The splash greets a browser session once. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  openPage(context)
  const block = await blockNews(context, request)
  if (await cookieOf(splashCookie, request)) return data({ splash: false, block })
  const headers = { 'Set-Cookie': await splashCookie.serialize('seen') }
  // What came of a block, or of leaving, is read first.
  const { searchParams } = new URL(request.url)
  const isNews = block || searchParams.has('goodbye') || searchParams.has('deactivated')
  return data({ splash: !isNews, block }, { headers })
}

export default function Landing() {
  const { splash, block } = useLoaderData<typeof loader>()
  const member = useShellMember()
  const [params] = useSearchParams()
  return (
    <div className="landing">
      {splash ? <Splash /> : null}
      {params.has('goodbye') && !member ? <Goodbye /> : null}
      {params.has('deactivated') && !member ? <SeeYou /> : null}
      {block ? <BlockNote key={String(block.blocked)} news={block} /> : null}
      {member ? <Greeting member={member} /> : <Welcome />}
      <footer className="landing-foot">
        <span>LetsBuzz</span>
        <nav aria-label="About">
          <Link to="/privacy">Privacy</Link>
          <Link to="/terms">Terms</Link>
          <Link to="/contact">Contact</Link>
        </nav>
      </footer>
    </div>
  )
}

/** After a deletion. */
function Goodbye() {
  return (
    <Banner tone="leaf" title="Your account is deleted" live>
      <p>Your profile, photos and messages are gone for ever. Goodbye, and all the best.</p>
    </Banner>
  )
}

/** After a deactivation (spec 2 §8). */
function SeeYou() {
  return (
    <Banner tone="leaf" title="Your account is deactivated" live>
      <p>Nobody sees you any more, and nothing is lost. Log in whenever you want to come back.</p>
    </Banner>
  )
}
