import type { MediaDraft } from './drafts.ts'
import type { MediaStore } from './store.ts'

export type StoredContent = { readonly id: string; readonly content: Uint8Array | MediaDraft }

/** Throws where one fails, once none of the others is being written: whoever removes them then leaves none. */
export async function writeFiles(store: MediaStore, files: readonly StoredContent[]): Promise<void> {
  const written = await Promise.allSettled(files.map(({ id, content }) => store.write(id, content)))
  for (const one of written) if (one.status === 'rejected') throw one.reason
}

export async function removeFiles(store: MediaStore, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => store.remove(id)))
}
