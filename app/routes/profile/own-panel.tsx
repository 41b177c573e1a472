import { Link } from '@remix-run/react'
import { FIELD_KEYS } from '../../../domain/profile/choices.ts'
import type { SelfView } from '../../../projections/view/present-self.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Avatar } from '../../ui/picture/avatar.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { FIELD_LABELS, MODES } from '../../words/profile-labels.ts'
import './own-panel.css'

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** 'Photos for matches. Height for nobody. The rest for everyone.' */
function audience({ fieldVisibility }: SelfView): string {
  const named = (level: string) => FIELD_KEYS.filter((key) => fieldVisibility[key] === level)
  const sentence = (level: string, whom: string) => {
    const names = named(level).map((key, at) => (at === 0 ? FIELD_LABELS[key] : FIELD_LABELS[key].toLowerCase()))
    return names.length > 0 ? `${list.format(names)} for ${whom}.` : ''
  }
  const rest = named('public').length > 0 ? 'The rest for everyone.' : ''
  return [sentence('matches', 'matches'), sentence('hidden', 'nobody'), rest].filter(Boolean).join(' ')
}

/** Avatar and name, and the way to change them (spec 2 §2). */
export function OwnHead({ self }: { self: SelfView }) {
  return (
    <header className="own-head">
      <div className="own-who">
        <Link to="/profile/gallery#add" className="own-avatar" aria-label="Change avatar">
          <Avatar name={self.firstName} src={self.avatar} size="xl" />
          <span className="own-camera">
            <Icon name="camera" size="s" />
          </span>
        </Link>
        <div className="own-name">
          <h1>
            {self.firstName} {self.lastName}
            {self.verified ? <Icon name="badge-check" label="Verified" /> : null}
          </h1>
          <p className="soft">{[self.age, self.city, self.zodiac].filter(Boolean).join(' · ')}</p>
        </div>
      </div>
      <LinkButton to="/profile/edit" tone="primary" icon="pencil" wide>
        Edit Profile
      </LinkButton>
    </header>
  )
}

/** The current visibility and audience, with links to change them (spec 2 §2). */
export function OwnSettings({ self }: { self: SelfView }) {
  const mode = MODES.find(({ value }) => value === self.visibilityMode)
  return (
    <aside className="own-settings" aria-label="Your visibility and account">
      <section className="own-part">
        <h2>Profile visibility</h2>
        <p>
          <strong>{mode?.label}.</strong> <span className="soft">{mode?.help}</span>
        </p>
      </section>
      <section className="own-part">
        <h2>Who sees what</h2>
        <p className="soft">{self.visibilityMode === 'hidden' ? 'No effect while hidden.' : audience(self)}</p>
        {self.blur === 'blurred' ? <p className="soft">Photos are blurred for strangers.</p> : null}
      </section>
      <nav aria-label="Your account" className="own-links">
        <Link to="/profile/privacy">
          <Icon name="eye" /> Change who sees you
        </Link>
        <Link to="/profile/privacy#blocked">
          <Icon name="ban" /> Blocked people
        </Link>
        <Link to="/settings/export">
          <Icon name="copy" /> Your data
        </Link>
        <Link to="/settings/delete">
          <Icon name="settings" /> Manage Account
        </Link>
      </nav>
    </aside>
  )
}
