import { Icon } from '../../ui/picture/icon.tsx'
import first from './people/first.webp'
import second from './people/second.webp'
import third from './people/third.webp'
import './glimpse.css'

/**
 * What one meets here, in one look: a card of the deck, a match and its first words. The people are drawn as those of the
 * demo are, and none of them is real.
 */
export function Glimpse() {
  return (
    <figure className="glimpse">
      <div className="glimpse-stage" aria-hidden="true">
        <Portrait src={third} className="glimpse-card glimpse-behind" />
        <div className="glimpse-card">
          <Portrait src={first} />
          <div className="glimpse-foot">
            <p className="glimpse-name">Amara 29</p>
            <p className="glimpse-fact">
              <Icon name="map-pin" size="s" /> 2 miles
            </p>
          </div>
        </div>
        <div className="glimpse-match">
          <Portrait src={second} />
          <Icon name="buzz" />
        </div>
        <p className="glimpse-words">The bakery by the river, on Sunday?</p>
      </div>
      <figcaption className="small soft">A card, a match, a first message. The people are drawn.</figcaption>
    </figure>
  )
}

function Portrait({ src, className }: { src: string; className?: string }) {
  return <img src={src} alt="" width={480} height={600} className={className} />
}
