import { useSearchParams } from '@remix-run/react'
import { Card } from '../../ui/card.tsx'
import { GallerySection } from '../../ui/dev/gallery-section.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Picture } from '../../ui/picture/picture.tsx'
import { HexRadar } from '../../ui/social/hex-radar.tsx'
import { PostCard } from '../../ui/social/post-card.tsx'
import { PresenceStack } from '../../ui/social/presence-stack.tsx'
import { ReactionBar } from '../../ui/social/reaction-bar.tsx'
import { StoryStrip } from '../../ui/social/story-strip.tsx'
import { StreakRing } from '../../ui/social/streak-ring.tsx'
import { Gates } from './gates.tsx'
import { FACES, NEAR, REACTIONS, STORIES } from './samples.ts'

const AUTHOR = { name: 'Chiara', src: null, to: '?author=chiara' }
const COUNTS = { heart: 8, laugh: 4, fire: 12, sad: 1 }
const LONG = 'Averyveryverylongwordthatnobodywrites'.repeat(3)

function Posts() {
  const [search] = useSearchParams()
  const bar = (
    <ReactionBar
      method="get"
      action="/dev/gallery/social"
      reactions={REACTIONS}
      mine={search.get('reaction') || null}
      counts={COUNTS}
    />
  )
  return (
    <>
      <PostCard
        author={AUTHOR}
        at="2026-01-01T12:00:00Z"
        audience={{ icon: 'users', label: 'Matches' }}
        menu={
          <Menu label="Post">
            <MenuButton icon="eye-off">Hide Post</MenuButton>
          </Menu>
        }
        media={<Picture src="/icon-512.png" alt="A honeycomb" width={512} height={512} />}
        foot={bar}
      >
        Swam before work. The water is still warm.
      </PostCard>
      <PostCard author={{ ...AUTHOR, name: LONG }} at="2026-01-01T12:00:00Z">
        {LONG}
      </PostCard>
    </>
  )
}

function Streaks() {
  return (
    <Card title="Streak">
      <div className="row">
        <StreakRing days={0} isChecked={false} />
        <StreakRing days={3} isChecked={false} />
        <StreakRing days={5} isChecked />
        <StreakRing days={14} isChecked />
        <StreakRing days={1234} isChecked />
      </div>
    </Card>
  )
}

function Presence() {
  return (
    <Card title="Presence">
      <PresenceStack people={FACES.slice(0, 1)} what="nearby" />
      <PresenceStack people={FACES.slice(0, 3)} what="online" />
      <PresenceStack people={FACES} total={128} what="online" />
      <PresenceStack people={[]} what="nearby" />
    </Card>
  )
}

/** The parts of social pages and gates, in their states. */
export function SocialGallery() {
  return (
    <GallerySection title="Social and gates">
      <StoryStrip label="Stories" stories={STORIES} />
      <Posts />
      <Presence />
      <Streaks />
      <HexRadar title="Near you" me={{ name: 'Ann', src: null }} people={NEAR} />
      <Gates />
    </GallerySection>
  )
}
