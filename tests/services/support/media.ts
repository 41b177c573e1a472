import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { createMediaFiles } from '../../../services/media/media.ts'
import { createFileStore } from '../../../services/media/store.ts'
import { MASTER_KEY, type TestApp, testClock } from './app.ts'

const draftFolders = { own: 'own', isLeft: () => false }

export function mediaIn(folder: string, app: TestApp) {
  const now = testClock()
  const root = join(folder, 'media')
  const store = createFileStore(root, draftFolders)
  return { now, root, store, media: createMediaFiles({ db: app.db, now, store, masterKey: MASTER_KEY }) }
}

/** A picture with something in it. */
export function picture(width = 300, height = 200, seed = 1): Sharp {
  const noise = { type: 'gaussian' as const, mean: 100 + seed, sigma: 40 }
  return sharp({ create: { width, height, channels: 3, background: '#884422', noise } })
}

export const jpeg = (width?: number, height?: number) => picture(width, height).jpeg().toBuffer()
