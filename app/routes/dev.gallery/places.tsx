import { NavBar, type NavPlace } from '../../shell/nav.tsx'
import './places.css'

const HERE = '/dev/gallery'
/** All six main places, the first of which is open; those without a page lead where their addresses do (ruling R40). */
const SIX: readonly NavPlace[] = [
  { to: HERE, label: 'Discover', icon: 'compass' },
  { to: '/', label: "Let'sBuzz", icon: 'newspaper' },
  { to: '/', label: 'MicroBuzz', icon: 'radar' },
  { to: '/chat', label: 'Chat', icon: 'message-circle', count: 3, counted: 'unread' },
  { to: '/notifications', label: 'Notifications', icon: 'bell', count: 12, counted: 'new' },
  { to: '/profile', label: 'Profile', icon: 'user-round' },
]
/** The longest name is the current one. */
const LONGEST = SIX.map((place) => ({
  ...place,
  to: { Discover: '/discover', Notifications: HERE }[place.label] ?? place.to,
}))

/** The bars with the places of today and with all six. */
export function Places() {
  return (
    <section className="stack">
      <h2>Places</h2>
      <p className="soft">The top of a wide window.</p>
      <div className="sample-bar">
        <NavBar position="top" label="Six places, at the top" places={SIX} />
      </div>
      <p className="soft">The foot of a phone: four, six, and six with the longest name open.</p>
      {[
        { label: 'Four places, at the bottom', places: SIX.filter(({ to }) => to !== '/') },
        { label: 'Six places, at the bottom', places: SIX },
        { label: 'Six places, Notifications open', places: LONGEST },
      ].map((bar) => (
        <div className="sample-bar sample-phone" key={bar.label}>
          <NavBar position="bottom" {...bar} />
        </div>
      ))}
    </section>
  )
}
