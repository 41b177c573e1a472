import type { MediaId } from '../../domain/shared/ids.ts'
import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { ReceivedForm } from '../../services/media/form.ts'
import type { ReceivedFile } from '../../services/media/keep-file.ts'
import type { MediaKind, UploadError } from '../../services/media/kinds.ts'
import { mediaUrl } from '../../services/media/media-url.ts'
import type { Media, MediaOwner } from '../../services/media/records.ts'
import { type Answer, done, type Refusal, refused, tooMany } from '../answer.ts'
import type { Ports } from '../ports.ts'
import type { DraftMedia } from '../register/draft.ts'
import type { VisitorProof } from '../register/proof.ts'

/** `url` is a path of ours, `secure_url` the same with the host (api-contract C71). */
export type Uploaded = { ok: true; url: string; secure_url: string; id: MediaId; kind: MediaKind }

/** Takes one multipart upload: `file`, perhaps `still`, and `purpose` unless it is given. */
export async function receiveMedia(
  context: Ports,
  owner: MediaOwner,
  request: Request,
  purpose?: MediaPurpose,
): Promise<Answer<Uploaded>> {
  const limited = await overLimit(context, owner)
  if (limited) return limited
  const received = await context.media.receive(request, owner, purpose)
  return received.ok ? done(answerFor(context, received.media)) : failure(received)
}

/** The same for a file of a form that was read already. */
export async function uploadMedia(
  context: Ports,
  owner: MediaOwner,
  { file, purpose }: { file: ReceivedFile; purpose: MediaPurpose },
): Promise<Answer<Uploaded>> {
  const limited = await overLimit(context, owner)
  if (limited) return limited
  const uploaded = file.ok ? await context.media.upload({ owner, purpose, file }) : file
  return uploaded.ok ? done(answerFor(context, uploaded.media)) : failure(uploaded)
}

/** What a visitor has uploaded so far, oldest first. */
export async function uploadsOf(context: Ports, proof: VisitorProof): Promise<DraftMedia[]> {
  return (await context.media.list({ proof: proof.id })).map(({ id, kind }) => ({ id, kind }))
}

/** Removes one upload of the visitor; quiet when it is not theirs. */
export async function removeUpload(context: Ports, proof: VisitorProof, id: string): Promise<void> {
  const media = await context.media.find(id)
  if (media && 'proof' in media.owner && media.owner.proof === proof.id) await context.media.remove(media.id)
}

export async function removeUploads(context: Ports, proof: VisitorProof): Promise<void> {
  await context.media.removeAll({ proof: proof.id })
}

/** The files of a plain form, kept or refused; a field that was left empty has none. */
export function filesOf({ files }: ReceivedForm, name: string): readonly ReceivedFile[] {
  return files.get(name) ?? []
}

async function overLimit(context: Ports, owner: MediaOwner): Promise<Refusal | null> {
  const taken = await context.limits.take('UPLOAD', 'member' in owner ? owner.member : owner.proof)
  return taken.ok ? null : tooMany(taken.retryInMs)
}

function answerFor(context: Ports, { id, kind }: Media): Uploaded {
  const url = mediaUrl(id)
  return { ok: true, url, secure_url: new URL(url, context.config.publicUrl).href, id, kind }
}

function failure({ status, error }: UploadError): Refusal {
  return refused(status, error)
}
