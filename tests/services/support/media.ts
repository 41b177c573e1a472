import { join } from 'node:path'
import type { DraftRoom, Sender } from '../../../services/media/draft-room.ts'
import { createMediaFiles } from '../../../services/media/media.ts'
import { createFileStore } from '../../../services/media/store.ts'
import { createMediaWorkers, type MediaWorkers } from '../../../services/media/workers/workers.ts'
import { randomId } from '../../../services/random-id.ts'
import { createSignupProofs } from '../../../services/signup-proofs.ts'
import { mediaProgram } from '../../support/programs/media-program.ts'
import { MASTER_KEY, type TestApp, testClock } from './app.ts'

const draftFolders = { own: 'own', isLeft: () => false }

/** For all files of tests in a process; they end when nothing comes. */
export const workers: MediaWorkers = createMediaWorkers({ program: mediaProgram() })

/** Whose bytes are on their way, for tests in which nobody meets a limit of theirs. */
export const sender: Sender = { holder: null, network: '192.0.2.1', isVisitor: false }

export function mediaIn(folder: string, app: TestApp, own: MediaWorkers = workers, room?: DraftRoom) {
  const now = testClock()
  const root = join(folder, 'media')
  const store = createFileStore(root, draftFolders, room)
  const media = createMediaFiles({ db: app.db, now, store, masterKey: MASTER_KEY, workers: own })
  return { now, root, store, media }
}

/** Somebody who signs up, with a proof that is good for two hours. */
export async function visitorIn(app: TestApp, now = testClock()): Promise<{ proof: string; network: string }> {
  const proofs = createSignupProofs({ db: app.db, now, masterKey: MASTER_KEY })
  const { id } = await proofs.issue({ email: 'ann@example.com', emailKey: randomId() })
  return { proof: id, network: '192.0.2.1' }
}
