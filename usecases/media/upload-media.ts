import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { ReceivedFile } from '../../services/media/keep-file.ts'
import type { MediaOwner } from '../../services/media/records.ts'
import type { Ports } from '../ports.ts'
import { receiveMedia, type UploadOutcome } from './receive-media.ts'

/** Takes a file of a form that was read already. */
export function uploadMedia(
  ports: Ports,
  owner: MediaOwner,
  { file, purpose }: { file: ReceivedFile; purpose: MediaPurpose },
): Promise<UploadOutcome> {
  return receiveMedia(ports, owner, async (uploader) =>
    file.ok ? ports.media.upload({ owner: uploader, purpose, file }) : file,
  )
}
