import { Link } from '@remix-run/react'
import { TERMS_VERSION } from '../../../domain/identity/terms.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { Prose } from '../../ui/prose.tsx'
import { CONTACT } from '../../words/legal.ts'

export const meta = () => pageTitle('Terms')

function Rules() {
  return (
    <>
      <h2>Who may join</h2>
      <p>
        You are 18 or older, you make one account, for yourself, and what you say about your age and identity is true.
        An account of someone under 18 is closed as soon as we learn of it.
      </p>
      <h2>Community rules</h2>
      <ul>
        <li>Be kind. No harassment, threats, hate or pressure. No means no, and so does silence.</li>
        <li>Be yourself. No photos of other people, no invented identities, no automated accounts.</li>
        <li>Nothing sexual involving minors, ever. We remove it at once and report it to the authorities.</li>
        <li>Share pictures of others only with their consent. Never share what was sent to you in confidence.</li>
        <li>No selling, recruiting, fundraising, or asking for money or codes.</li>
        <li>Do not collect data about members or try to find out where somebody is.</li>
      </ul>
    </>
  )
}

function Safety() {
  return (
    <>
      <h2>Blocking and reporting</h2>
      <p>
        You can block anyone at any time; you then no longer see each other, and an open chat closes on both sides. You
        can report a profile, a photo or a message, also after a match has ended. The other person is not told who
        reported.
      </p>
      <p>
        People read reports. Depending on what happened we remove content, restrict or suspend an account, and tell its
        owner what was decided and why. Whoever disagrees can answer to{' '}
        <a href={`mailto:${CONTACT.safety}`}>{CONTACT.safety}</a>, and another person looks at it again.
      </p>
      <h2>What is yours</h2>
      <p>
        Your photos and words stay yours. You allow us to store them, resize them and show them to the people you chose,
        for as long as they are on LetsBuzz and no longer.
      </p>
    </>
  )
}

function Ending() {
  return (
    <>
      <h2>Leaving</h2>
      <p>
        You may pause your account or delete it whenever you like. Deleting is final: see the{' '}
        <Link to="/privacy">privacy page</Link> for what is erased. We may end an account that breaks these rules.
      </p>
      <h2>What we can and cannot promise</h2>
      <p>
        We work to keep LetsBuzz available and your data safe. We cannot check who every member is. Meet in a public
        place first, tell a friend, and trust your judgement. Nothing here limits rights that the law of your country
        gives you.
      </p>
      <h2>Changes</h2>
      <p>
        When these terms change in a way that matters to you, we ask you again before they apply. You accepted the
        version that was current when you joined.
      </p>
    </>
  )
}

export default function Terms() {
  return (
    <Prose>
      <h1>Terms</h1>
      <p className="lead">The rules we all keep, in plain words.</p>
      <p className="small soft">Version {TERMS_VERSION}</p>
      <Rules />
      <Safety />
      <Ending />
    </Prose>
  )
}
