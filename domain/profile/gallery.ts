import { accept, type Decider, type Decision, refuse } from '../shared/decider.ts'
import type { MediaId, MemberId } from '../shared/ids.ts'
import { isErased } from '../shared/personal.ts'
import type { GalleryCommand, NewMedia } from './commands.ts'
import type { GalleryEvent } from './events.ts'

export type GalleryItem = { media: MediaId; kind: 'image' | 'video'; privacy: 'public' | 'private' }
export type Gallery = {
  readonly items: readonly GalleryItem[]
  readonly avatar: MediaId | null
  readonly voice: MediaId | null
}
export type GalleryRefusal =
  | 'no-image'
  | 'not-in-gallery'
  | 'avatar-must-be-image'
  | 'last-photo'
  | 'avatar-stays-public'
  | 'others-private'
type Verdict = Decision<GalleryEvent, GalleryRefusal>
type CommandOf<T extends GalleryCommand['type']> = Extract<GalleryCommand, { type: T }>

const empty: Gallery = { items: [], avatar: null, voice: null }

/** Folds a gallery; also the read model's fold. Items of an erased member fall away. */
export function evolveGallery(gallery: Gallery, event: GalleryEvent): Gallery {
  if ('media' in event && isErased(event.media)) return gallery
  switch (event.type) {
    case 'MediaAdded': {
      const item = { media: event.media as MediaId, kind: event.kind, privacy: event.privacy }
      return { ...gallery, items: [...gallery.items, item] }
    }
    case 'MediaRemoved':
      return { ...gallery, items: gallery.items.filter((item) => item.media !== event.media) }
    case 'MediaPrivacyChanged':
      return {
        ...gallery,
        items: gallery.items.map((item) => (item.media === event.media ? { ...item, privacy: event.privacy } : item)),
      }
    case 'AvatarChosen':
      return { ...gallery, avatar: event.media as MediaId }
    case 'VoiceIntroSet':
      return { ...gallery, voice: event.media as MediaId }
    case 'VoiceIntroRemoved':
      return { ...gallery, voice: null }
  }
}

const added = (member: MemberId, item: NewMedia, at: Date): GalleryEvent => ({
  type: 'MediaAdded',
  member,
  ...item,
  at,
})

function fillGallery({ member, items, avatar, voice, at }: CommandOf<'FillGallery'>, gallery: Gallery): Verdict {
  if (gallery.items.length > 0) return accept()
  if (!items.some((item) => item.kind === 'image')) return refuse('no-image')
  const chosen = items.find((item) => item.media === avatar)
  if (!chosen) return refuse('not-in-gallery')
  if (chosen.kind !== 'image') return refuse('avatar-must-be-image')
  const intro: GalleryEvent[] = voice ? [{ type: 'VoiceIntroSet', member, media: voice, at }] : []
  return accept(
    ...items.map((item) => added(member, item, at)),
    { type: 'AvatarChosen', member, media: avatar, at },
    ...intro,
  )
}

/** Everybody whom a card is shown to sees the avatar: a private picture that becomes it is opened (api-contract C74). */
function asAvatar(member: MemberId, item: GalleryItem, at: Date): GalleryEvent[] {
  const chosen: GalleryEvent = { type: 'AvatarChosen', member, media: item.media, at }
  if (item.privacy === 'public') return [chosen]
  return [{ type: 'MediaPrivacyChanged', member, media: item.media, privacy: 'public', at }, chosen]
}

const imagesBut = (gallery: Gallery, isGone: (media: MediaId) => boolean): GalleryItem[] =>
  gallery.items.filter((item) => item.kind === 'image' && !isGone(item.media))
const firstPublic = (images: readonly GalleryItem[]) => images.find(({ privacy }) => privacy === 'public')

/**
 * At least one photo stays (api-contract C75). The avatar falls back to the first public image that is left (spec 1 §5): a
 * private one is opened by its owner alone.
 */
function removeMedia({ member, media, at }: CommandOf<'RemoveMedia'>, gallery: Gallery): Verdict {
  if (!gallery.items.some((item) => item.media === media)) return refuse('not-in-gallery')
  const left = imagesBut(gallery, (one) => one === media)
  if (left.length === 0) return refuse('last-photo')
  const removed: GalleryEvent = { type: 'MediaRemoved', member, media, at }
  if (gallery.avatar !== media) return accept(removed)
  const next = firstPublic(left)
  if (!next) return refuse('others-private')
  return accept<GalleryEvent>(removed, { type: 'AvatarChosen', member, media: next.media, at })
}

/** All at once, so that the avatar falls back to an image that is there; where none is public, it stays in the gallery. */
function dropLostMedia({ member, lost, at }: CommandOf<'DropLostMedia'>, gallery: Gallery): Verdict {
  const isLost = (media: MediaId | null) => media !== null && lost.includes(media)
  const left = imagesBut(gallery, isLost)
  if (left.length === 0) return refuse('last-photo')
  const next = isLost(gallery.avatar) ? firstPublic(left) : undefined
  const stays = isLost(gallery.avatar) && !next ? gallery.avatar : null
  const removed = gallery.items.filter((item) => isLost(item.media) && item.media !== stays)
  const avatar: GalleryEvent[] = next ? [{ type: 'AvatarChosen', member, media: next.media, at }] : []
  const voice: GalleryEvent[] = isLost(gallery.voice) ? [{ type: 'VoiceIntroRemoved', member, at }] : []
  return accept(
    ...removed.map(({ media }): GalleryEvent => ({ type: 'MediaRemoved', member, media, at })),
    ...avatar,
    ...voice,
  )
}

function changePrivacy({ member, media, privacy, at }: CommandOf<'ChangeMediaPrivacy'>, gallery: Gallery): Verdict {
  const item = gallery.items.find((one) => one.media === media)
  if (!item) return refuse('not-in-gallery')
  if (privacy === 'private' && gallery.avatar === media) return refuse('avatar-stays-public')
  return item.privacy === privacy ? accept() : accept({ type: 'MediaPrivacyChanged', member, media, privacy, at })
}

function chooseAvatar({ member, media, at }: CommandOf<'ChooseAvatar'>, gallery: Gallery): Verdict {
  const item = gallery.items.find((one) => one.media === media)
  if (!item) return refuse('not-in-gallery')
  if (item.kind !== 'image') return refuse('avatar-must-be-image')
  return gallery.avatar === media ? accept() : accept<GalleryEvent>(...asAvatar(member, item, at))
}

function setVoiceIntro({ member, media, at }: CommandOf<'SetVoiceIntro'>, gallery: Gallery): Verdict {
  if (gallery.voice === media) return accept()
  return accept(media ? { type: 'VoiceIntroSet', member, media, at } : { type: 'VoiceIntroRemoved', member, at })
}

function decide(command: GalleryCommand, gallery: Gallery): Verdict {
  switch (command.type) {
    case 'FillGallery':
      return fillGallery(command, gallery)
    case 'AddMedia':
      if (gallery.items.some((item) => item.media === command.item.media)) return accept()
      return accept(added(command.member, command.item, command.at))
    case 'RemoveMedia':
      return removeMedia(command, gallery)
    case 'DropLostMedia':
      return dropLostMedia(command, gallery)
    case 'ChangeMediaPrivacy':
      return changePrivacy(command, gallery)
    case 'ChooseAvatar':
      return chooseAvatar(command, gallery)
    case 'SetVoiceIntro':
      return setVoiceIntro(command, gallery)
  }
}

/** A member's pictures, videos and voice. The caller has checked that each upload is the member's own. */
export const galleryDecider: Decider<GalleryCommand, GalleryEvent, Gallery, GalleryRefusal> = {
  category: 'gallery',
  streamId: (command) => command.member,
  initial: empty,
  evolve: evolveGallery,
  decide,
}
