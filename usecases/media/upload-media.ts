import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { ReceivedFile } from '../../services/media/keep-file.ts'
import type { MediaOwner } from '../../services/media/records.ts'
import type { Ports } from '../ports.ts'
import { receiveCounted, type UploadOutcome } from './receive-media.ts'

/** Takes a file of a form that was read already, and counted as it came (`limitedLooks`). */
export async function uploadMedia(
  ports: Ports,
  owner: MediaOwner,
  { file, purpose }: { file: ReceivedFile; purpose: MediaPurpose },
): Promise<UploadOutcome> {
  if (!file.ok) return file
  return receiveCounted(ports, owner, (uploader) => ports.media.upload({ owner: uploader, purpose, file }))
}
