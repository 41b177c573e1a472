import { Link } from '@remix-run/react'
import { pageTitle } from '../../shell/page-title.ts'
import { Prose } from '../../ui/prose.tsx'
import { CONTACT, PRIVACY_VERSION } from '../../words/legal.ts'
import { COOKIES } from './cookies.ts'

export const meta = () => pageTitle('Privacy')

function Kept() {
  return (
    <>
      <h2>What we keep</h2>
      <ul>
        <li>
          What you tell us: name, e-mail, date of birth, gender, who you would like to meet, interests, photos, a voice
          intro, your phone number if you add one.
        </li>
        <li>What you do: buzzes, skips, matches, messages, blocks and reports, each with its time.</li>
        <li>What keeps your account safe: your password as a hash, your sessions, and attempts to sign in.</li>
      </ul>
      <h2>Where you are</h2>
      <p>
        Discover works with a grid of squares about one kilometre wide. Distances are measured between squares, for you
        and for the other person, and shown as a band. They say roughly how far, never where, and no page or answer of
        ours contains coordinates of another member. Where the squares lie is different for each member and secret, and
        when you move to another one, distances follow some minutes later.
      </p>
      <p>
        Your last exact position is kept encrypted for at most 24 hours and then removed. The square that distances come
        from goes 30 days after you last shared a position or named a town. There is no history of where you were. You
        can name a town instead of sharing a position, and under “Your location” see what is kept and have it forgotten.
      </p>
    </>
  )
}

function Seen() {
  return (
    <>
      <h2>Who sees what</h2>
      <ul>
        <li>You decide for each part of your profile: everyone, matches, or nobody.</li>
        <li>
          Unless you choose otherwise, people you have not matched with get a blurred copy of your photos, not the
          photos.
        </li>
        <li>Your last name, e-mail, phone number and date of birth are never shown to strangers.</li>
        <li>Messages are read by you and your match. A moderator sees those that one of you reports.</li>
        <li>We sell nothing, show no advertisements, and use no trackers of others.</li>
      </ul>
    </>
  )
}

function Rights() {
  return (
    <>
      <h2>Sealed, and erased for good</h2>
      <p>
        What happens on LetsBuzz is written to a log as it happens. Everything personal in it is encrypted with a key of
        your own. When you delete your account, that key is destroyed: what the log holds about you can no longer be
        read by anyone, us included. Your photos, profile and sessions are removed as well. Copies in backups become
        unreadable within 30 days.
      </p>
      <p>
        The people you wrote to keep their conversation; your part of it shows as a deleted member. If somebody reported
        you, the evidence of that report stays sealed for at most 180 days. If somebody had blocked you, or your account
        was suspended, a fingerprint of your address is kept for a year, so that nobody returns to them unseen.
      </p>
      <h2>Your rights</h2>
      <p>
        You may see, correct, take with you, restrict and erase what we hold. Most of it is in your profile and its
        settings; for the rest write to <a href={`mailto:${CONTACT.privacy}`}>{CONTACT.privacy}</a>. You may also turn
        to your data protection authority.
      </p>
    </>
  )
}

function OnThisDevice() {
  return (
    <>
      <h2>On this device</h2>
      <p>
        These are all cookies that we set. None of them follows you anywhere else, and no script of others can read
        them.
      </p>
      <ul>
        {Object.entries(COOKIES).map(([name, { why, kept }]) => (
          <li key={name}>
            <code>{name}</code> {why}: {kept}.
          </li>
        ))}
      </ul>
      <p>
        Signing out removes these cookies, but for the one that knows the browser and those of 10 seconds. Words that
        you typed and did not send are kept by the tab that you typed them in, for 24 hours at most, never a password or
        a code.
      </p>
      <p>
        Your browser keeps three things more until you sign out: the page that it shows without a network, whether you
        turned off the keys in Discover, and in its tab whether you chose to stay deactivated.
      </p>
    </>
  )
}

export default function Privacy() {
  return (
    <Prose>
      <h1>Privacy</h1>
      <p className="lead">What we know about you, what others see, and how you take it back.</p>
      <p className="small soft">Version {PRIVACY_VERSION}. LetsBuzz is for adults, 18 and over.</p>
      <Kept />
      <Seen />
      <Rights />
      <OnThisDevice />
      <p className="small soft">
        See also the <Link to="/terms">Terms</Link> and how to <Link to="/contact">contact us</Link>.
      </p>
    </Prose>
  )
}
