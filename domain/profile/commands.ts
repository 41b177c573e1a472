import { z } from 'zod'
import { MediaId, MemberId } from '../shared/ids.ts'
import { text } from '../shared/text.ts'
import * as field from './fields.ts'
import { CAPTION_MAX, MAX_SIGNUP_MEDIA, MIN_SIGNUP_MEDIA } from './limits.ts'

const at = z.date()
const member = MemberId

export const StartProfile = z.object({
  type: z.literal('StartProfile'),
  member,
  firstName: field.Name,
  lastName: field.Name,
  dob: field.Dob,
  gender: field.Gender,
  lookingFor: field.LookingFor,
  interestedIn: field.InterestedIn,
  preferences: field.Preferences,
  interests: field.ListedInterests,
  phone: field.Phone,
  visibilityMode: field.VisibilityMode,
  at,
})

/** What a member may change; an absent key stays as it is. */
export const ProfileChanges = z
  .object({
    firstName: field.Name,
    lastName: field.Name,
    bio: field.Bio,
    city: field.OptionalLine,
    state: field.OptionalLine,
    location: field.OptionalLine,
    height: field.Height,
    orientation: field.OptionalLine,
    gender: field.Gender,
    interests: field.Interests,
    hobbies: field.Hobbies,
    likes: field.Likes,
    dislikes: field.Likes,
    phone: field.Phone,
    lookingFor: field.LookingFor,
    interestedIn: field.InterestedIn,
    preferences: field.Preferences,
    vibe: field.Vibe,
    timezone: field.Timezone,
    visibilityMode: field.VisibilityMode,
    visibility: z.enum(['active', 'invisible']),
    blur: z.enum(['clear', 'blurred']),
    fieldVisibility: field.SomeFieldVisibility,
  })
  .partial()
export type ProfileChanges = z.infer<typeof ProfileChanges>

export const EditProfile = z.object({ type: z.literal('EditProfile'), member, changes: ProfileChanges, at })

export const ProfileCommand = z.discriminatedUnion('type', [StartProfile, EditProfile])
export type ProfileCommand = z.infer<typeof ProfileCommand>

export const NewMedia = z.object({
  media: MediaId,
  kind: z.enum(['image', 'video']),
  caption: text(CAPTION_MAX),
  privacy: z.enum(['public', 'private']),
})
export type NewMedia = z.infer<typeof NewMedia>

/** The wizard's photos: at least two, of which one is an image (spec 1 §5, ruling R30). `avatar` is one of the images. */
export const FillGallery = z.object({
  type: z.literal('FillGallery'),
  member,
  items: z.array(NewMedia).min(MIN_SIGNUP_MEDIA).max(MAX_SIGNUP_MEDIA),
  avatar: MediaId,
  voice: MediaId.nullable(),
  at,
})
export const AddMedia = z.object({ type: z.literal('AddMedia'), member, item: NewMedia, at })
export const RemoveMedia = z.object({ type: z.literal('RemoveMedia'), member, media: MediaId, at })
/** What has no file any more, a picture or the voice intro, leaves the gallery. */
export const DropLostMedia = z.object({ type: z.literal('DropLostMedia'), member, lost: z.array(MediaId), at })
export const ChangeMediaPrivacy = z.object({
  type: z.literal('ChangeMediaPrivacy'),
  member,
  media: MediaId,
  privacy: z.enum(['public', 'private']),
  at,
})
export const ChooseAvatar = z.object({ type: z.literal('ChooseAvatar'), member, media: MediaId, at })
/** null removes it. */
export const SetVoiceIntro = z.object({ type: z.literal('SetVoiceIntro'), member, media: MediaId.nullable(), at })

export const GalleryCommand = z.discriminatedUnion('type', [
  FillGallery,
  AddMedia,
  RemoveMedia,
  DropLostMedia,
  ChangeMediaPrivacy,
  ChooseAvatar,
  SetVoiceIntro,
])
export type GalleryCommand = z.infer<typeof GalleryCommand>
