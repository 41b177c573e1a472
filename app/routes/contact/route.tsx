import { Link } from '@remix-run/react'
import { pageTitle } from '../../shell/page-title.ts'
import { Card } from '../../ui/card.tsx'
import { CONTACT } from '../../words/legal.ts'

export const meta = () => pageTitle('Contact')

function Mail({ to }: { to: string }) {
  return <a href={`mailto:${to}`}>{to}</a>
}

export default function Contact() {
  return (
    <div className="column stack">
      <h1>Contact</h1>
      <p className="lead">A person reads every message.</p>
      <Card title="Something or someone worries you" icon="shield-check">
        <p>
          In immediate danger, call your local emergency number first. Then write to <Mail to={CONTACT.safety} />. The
          quickest way to report a member is the menu on their profile: it keeps the evidence.
        </p>
        <p className="soft">
          Anyone can report content to this address, member or not. Say where it is and why it should not be there. You
          get a confirmation, and the decision with its reasons.
        </p>
      </Card>
      <Card title="Help with your account" icon="mail">
        <p>
          Signing in, codes that do not arrive, anything that does not work: <Mail to={CONTACT.help} />.
        </p>
      </Card>
      <Card title="Your data" icon="lock">
        <p>
          Questions about <Link to="/privacy">privacy</Link>, or a request about what we hold:{' '}
          <Mail to={CONTACT.privacy} />.
        </p>
        <p className="soft">By post: {CONTACT.post}.</p>
      </Card>
    </div>
  )
}
