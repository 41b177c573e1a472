import type { GalleryCommand } from '../../domain/profile/commands.ts'
import { type GalleryRefusal, galleryDecider } from '../../domain/profile/gallery.ts'
import type { MediaId, MemberId } from '../../domain/shared/ids.ts'
import { type Acting, type PipelineRefusal, type Refusal, send, slowDown } from '../act.ts'
import type { Ports } from '../ports.ts'

export type GalleryOutcome = { ok: true } | Refusal<GalleryRefusal | PipelineRefusal | 'invalid-media'>
type Editing = Acting & Pick<Ports, 'media'>
type Item = { media: MediaId; commandId: string }

/** Puts an upload of the member's own into the gallery. */
export async function addMedia(
  context: Editing,
  me: MemberId,
  { media, caption = '', commandId }: Item & { caption?: string },
): Promise<GalleryOutcome> {
  const [own] = (await context.media.attach({ member: me }, [{ id: media, purposes: ['photo', 'avatar'] }])) ?? []
  if (!own || own.kind === 'audio') return { ok: false, reason: 'invalid-media' }
  const item = { media, kind: own.kind, caption, privacy: 'public' as const }
  return change(context, me, commandId, { type: 'AddMedia', member: me, item, at: context.now() })
}

/** Takes a picture out of the gallery and its bytes off the disk (api-contract C75). */
export async function removeMedia(context: Editing, me: MemberId, { media, commandId }: Item): Promise<GalleryOutcome> {
  const outcome = await change(context, me, commandId, { type: 'RemoveMedia', member: me, media, at: context.now() })
  if (outcome.ok) await context.media.remove(media)
  return outcome
}

export function chooseAvatar(context: Editing, me: MemberId, { media, commandId }: Item): Promise<GalleryOutcome> {
  return change(context, me, commandId, { type: 'ChooseAvatar', member: me, media, at: context.now() })
}

export function setMediaPrivacy(
  context: Editing,
  me: MemberId,
  { media, privacy, commandId }: Item & { privacy: 'public' | 'private' },
): Promise<GalleryOutcome> {
  return change(context, me, commandId, { type: 'ChangeMediaPrivacy', member: me, media, privacy, at: context.now() })
}

/** null takes the voice intro away. */
export async function setVoiceIntro(
  context: Editing,
  me: MemberId,
  { media, commandId }: { media: MediaId | null; commandId: string },
): Promise<GalleryOutcome> {
  const own = media && (await context.media.attach({ member: me }, [{ id: media, purposes: ['voice'] }]))
  if (media && !own) return { ok: false, reason: 'invalid-media' }
  return change(context, me, commandId, { type: 'SetVoiceIntro', member: me, media, at: context.now() })
}

async function change(
  context: Editing,
  me: MemberId,
  commandId: string,
  command: GalleryCommand,
): Promise<GalleryOutcome> {
  const wait = await slowDown(context, 'WRITE', me)
  return wait ?? send(context, { me, commandId }, galleryDecider, command)
}
