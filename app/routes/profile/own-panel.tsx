import { Link } from '@remix-run/react'
import type { SelfView } from '../../../projections/view/present-self.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Avatar } from '../../ui/picture/avatar.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { audience } from '../../ui/profile/audience.ts'
import { MODES } from '../../words/profile-labels.ts'
import './own-panel.css'

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
            <bdi>
              {self.firstName} {self.lastName}
            </bdi>
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
        <Link to="/profile/seen/stranger">
          <Icon name="eye" /> See yourself as others do
        </Link>
        <Link to="/profile/privacy">
          <Icon name="shield" /> Change who sees you
        </Link>
        <Link to="/profile/privacy#blocked">
          <Icon name="ban" /> Blocked people
        </Link>
        <Link to="/settings/location">
          <Icon name="map-pin" /> Your location
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
