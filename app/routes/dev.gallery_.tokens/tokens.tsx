import { useEffect, useState } from 'react'
import { RadioGroup } from '../../forms/chips.tsx'
import { Card } from '../../ui/card.tsx'
import { GallerySection } from '../../ui/dev/gallery-section.tsx'
import { ListRows } from '../../ui/lists/list-rows.tsx'
import { Avatar } from '../../ui/picture/avatar.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { ACCENTS, DENSITIES, GROUNDS, INKS, LEVELS, WASHES } from './names.ts'
import './tokens.css'

const STEPS = ['small', 'body', 'lead', 'title', 'name', 'hero']

function Swatches({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <Card title={title}>
      <ul className="swatches">
        {names.map((name) => (
          <li key={name}>
            <svg viewBox="0 0 4 3" aria-hidden="true">
              <rect width="4" height="3" fill={`var(--${name})`} />
            </svg>
            <span className="small mono">{name}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Sizes() {
  return (
    <Card title="Sizes">
      {STEPS.map((name) => (
        <p key={name} className={`type-step type-${name}`}>
          {name}
        </p>
      ))}
      <p className="row">
        <Avatar name="Ann" size="s" />
        <Avatar name="Bea" />
        <Avatar name="Chiara" size="l" />
        <Avatar name="Dan" size="xl" />
        <Icon name="star" size="s" />
        <Icon name="star" />
        <Icon name="star" size="l" />
      </p>
      <p className="row ratios">
        <span className="ratio ratio-photo">4 / 5</span>
        <span className="ratio ratio-wide">16 / 9</span>
        <span className="ratio ratio-tall">9 / 16</span>
      </p>
    </Card>
  )
}

function Depth() {
  return (
    <Card title="Depth">
      <p className="row">
        <span className="depth depth-rest">Rests</span>
        <span className="depth depth-floats">Floats</span>
        <span className="depth depth-gold">Premium</span>
      </p>
      <p className="on-photo">
        <span className="on-photo-chip">On a photo</span> Words at its foot
      </p>
      <p className="small soft">What lies over what, the highest last: {LEVELS.join(', ')}.</p>
    </Card>
  )
}

/** Each press plays all of them again. */
function Motion() {
  const [turn, play] = useState(0)
  return (
    <Card title="Motion">
      <button type="button" className="motion-play" onClick={() => play(turn + 1)}>
        <Icon name="play" size="s" />
        Play
      </button>
      <p className="row" key={turn}>
        <span className="moves moves-enter">enter</span>
        <span className="moves moves-pop">pop</span>
        <span className="moves moves-exit">exit</span>
        {['one', 'after', 'the', 'other'].map((word) => (
          <span key={word} className="moves moves-stagger">
            {word}
          </span>
        ))}
      </p>
    </Card>
  )
}

function TextSize() {
  const [scale, choose] = useState('100')
  useEffect(() => {
    document.documentElement.dataset.text = scale
    return () => {
      delete document.documentElement.dataset.text
    }
  }, [scale])
  return (
    <RadioGroup
      legend="Text size"
      name="text"
      value="100"
      onChange={choose}
      choices={['90', '100', '110', '120'].map((value) => ({ value, label: `${value} %` }))}
    />
  )
}

function Densities() {
  return (
    <div className="pair">
      {DENSITIES.map((density) => (
        <div key={density} data-density={density}>
          <ListRows
            title={density}
            rows={[
              { id: `${density}-name`, icon: 'user-round', label: 'Name', value: 'Ann', to: '#name' },
              { id: `${density}-town`, icon: 'map-pin', label: 'Town', value: 'Lund', to: '#town' },
              { id: `${density}-bio`, icon: 'pencil', label: 'Bio', value: null, to: '#bio' },
            ]}
          />
        </div>
      ))}
    </div>
  )
}

/** What all parts are made of. */
export function TokensGallery() {
  return (
    <GallerySection title="Tokens">
      <TextSize />
      <Densities />
      <Swatches title="Grounds" names={GROUNDS} />
      <Swatches title="Accents" names={[...ACCENTS, ...INKS, ...WASHES]} />
      <Sizes />
      <Depth />
      <Motion />
    </GallerySection>
  )
}
