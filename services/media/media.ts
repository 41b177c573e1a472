import { ID_PATTERN } from '../../domain/shared/id-pattern.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { MasterKey } from '../../domain/shared/master-key.ts'
import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { AppDb } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import type { ProofLease } from '../proof-leases.ts'
import { createQueue } from '../queue.ts'
import { type Box, createBox } from '../secrets.ts'
import { CommitUnknown } from './commit.ts'
import { createMediaDeriving, type MediaDeriving } from './derive.ts'
import type { From } from './drafts.ts'
import type { UploadLimit } from './file-looks.ts'
import { type PageFormRead, readPageForm } from './form.ts'
import { formRowsOf, type MediaForm, type StoredFile } from './forms.ts'
import { type HandedOver, handOver } from './hand-over.ts'
import { failed, isKyc, type UploadError } from './kinds.ts'
import { type Range, rangeOf } from './range.ts'
import { receiveUpload } from './receive.ts'
import {
  attach,
  type Claim,
  findClaimed,
  keepWithinQuota,
  type Media,
  type MediaOwner,
  type Registrant,
  servable,
  toMedia,
  type Uploader,
  uploadsOf,
} from './records.ts'
import { createMediaRemoval, type MediaRemoval } from './removal.ts'
import { ownerOfRemoved } from './removed.ts'
import { type SentFile, sealWhole } from './sealed-draft.ts'
import type { MediaStore } from './store.ts'
import { removeFiles, writeFiles } from './stored-files.ts'
import { type ProcessedFile, processUpload, type Upload } from './upload.ts'
import { createMediaUses, type MediaUses } from './uses.ts'
import type { MediaWorkers } from './workers/workers.ts'

export type Uploaded = { ok: true; media: Media } | UploadError
export type OpenedFile = { readonly body: ReadableStream<Uint8Array>; readonly range: Range; readonly partial: boolean }
export type Opened = ({ ok: true; media: Media } & OpenedFile) | { ok: false; reason: 'gone' | 'range' }

type Purposes = Readonly<Record<string, MediaPurpose>>
/** `purposes`: what the files of each name are for; `uploads`: those of its sender. */
type FormOf = { readonly purposes: Purposes; readonly sender: From; readonly uploads: UploadLimit }
type Sent = SentFile | Uint8Array
/** `purpose` overrides that of the body, `assumed` is that of a body that names none. `received` comes between the body's end and its use, and may throw. */
type Receiving = {
  readonly sender: From
  readonly purpose?: MediaPurpose
  readonly assumed?: MediaPurpose
  readonly received?: () => Promise<void>
}

/** Members' files. Who may see which is the caller's to decide, on every request. */
export type MediaFiles = MediaRemoval &
  MediaUses &
  MediaDeriving & {
    /** A multipart body with `file`, perhaps `still` (a video's picture) and `purpose`. */
    receive(request: Request, owner: Uploader, options: Receiving): Promise<Uploaded>
    /** The form of a page, with files of these names for these purposes, which are gone when `work` ends. */
    withForm<T>(request: Request, from: FormOf, work: (form: PageFormRead) => Promise<T>): Promise<T>
    upload(upload: Omit<Upload, 'file' | 'still'> & { file: Sent; still?: Sent | undefined }): Promise<Uploaded>
    /** Also derivatives; null when unknown or removed. */
    find(id: string): Promise<Media | null>
    /** Whose it is, or was until it was removed; null for one that no member had. */
    ownerOf(id: string): Promise<MemberId | null>
    /** The owner's uploads, oldest first, without derivatives. */
    list(owner: MediaOwner | Registrant): Promise<Media[]>
    /** Null unless each is the owner's own upload, for one of these purposes, of this kind, and there. */
    check(owner: MediaOwner | Registrant, claims: readonly Claim[]): Promise<Media[] | null>
    /**
     * As `check`, and keeps them from the sweep: something is about to refer to them. Answers them as they were before. Repeats
     * are quiet.
     */
    attach(owner: MediaOwner, claims: readonly Claim[]): Promise<Media[] | null>
    /**
     * The visitor's uploads become the new member's, before there is a gallery, and what is claimed is attached. Repeats are
     * quiet. Nothing changes when a claim does not fit (`missing`), nor when the registration has lost its lease (`over`).
     */
    handOver(under: ProofLease, member: MemberId, claims: readonly Claim[]): Promise<HandedOver>
    /** For serving; never opens papers shown for verification. `range` is the header's text. */
    open(id: string, range?: string | null): Promise<Opened>
    /** The forms of a file. */
    formsOf(id: string): Promise<MediaForm[]>
    /** For serving what `formFor` chose, without a look at rows; null where `range` asks for nothing of it. */
    openFile(file: StoredFile, range: string | null): OpenedFile | null
    /** Papers shown for verification, for the check alone. */
    readSealed(id: string): Promise<Buffer | null>
    /** What processes that were killed in an upload left on disk; answers how many there were. */
    removeLeft(): Promise<number>
    /** Ends the processes that parse; what is uploaded afterwards is refused. */
    stop(): Promise<void>
  }

/** Files are written while a connection waits for them: so many of the pool's, for all uploads together. */
const WRITERS = 2

type InTurn = ReturnType<typeof createQueue>
type Deps = { db: AppDb; now: Clock; store: MediaStore; box: Box; workers: MediaWorkers; writing: InTurn }

type Given = { db: AppDb; now: Clock; store: MediaStore; masterKey: MasterKey; workers: MediaWorkers }

/** What papers shown for verification are sealed with, each by its id. */
export const paperBox = (masterKey: MasterKey): Box => createBox(masterKey, 'verification-media')

export function createMediaFiles({ db, now, store, masterKey, workers }: Given): MediaFiles {
  const box = paperBox(masterKey)
  const deps: Deps = { db, now, store, box, workers, writing: createQueue(WRITERS) }

  return {
    upload: ({ file, still, ...request }) =>
      store.withDrafts(async (newDraft) => {
        const onDisk = async (sent: Sent): Promise<SentFile> => {
          if (!(sent instanceof Uint8Array)) return sent
          return sealWhole(await newDraft(), sent)
        }
        return upload(deps, { ...request, file: await onDisk(file), still: still && (await onDisk(still)) })
      }),
    find: (id) => find(deps, id),
    async ownerOf(id) {
      const found = await find(deps, id)
      if (!found) return ownerOfRemoved(deps, id)
      return 'member' in found.owner ? found.owner.member : null
    },
    receive: (request, owner, { sender, purpose, assumed, received }) =>
      store.withDrafts(async (newDraft) => {
        const sent = await receiveUpload(request, { owner, purpose, assumed, newDraft })
        if (!sent.ok) return sent
        await received?.()
        return upload(deps, sent.upload)
      }, sender),
    withForm: (request, { sender, ...form }, work) =>
      store.withDrafts(async (newDraft) => work(await readPageForm(request, { ...form, newDraft })), sender),
    removeLeft: () => store.removeLeft(),
    stop: () => workers.stop(),
    async list(owner) {
      const rows = await uploadsOf(db, owner).orderBy('created_at').orderBy('id').execute()
      return rows.map(toMedia)
    },
    async open(id, range) {
      const media = await find(deps, id)
      if (!media || !servable(media)) return { ok: false, reason: 'gone' }
      const opened = openFile(store, { ...media, file: id }, range)
      return opened ? { ok: true, media, ...opened } : { ok: false, reason: 'range' }
    },
    formsOf: (id) => formRowsOf(db, [id]).execute(),
    openFile: (file, range) => openFile(store, file, range),
    async readSealed(id) {
      const media = await find(deps, id)
      return media && isKyc(media.purpose) ? box.open(id, await store.read(id)) : null
    },
    ...createMediaRemoval(deps),
    ...createMediaUses(deps),
    ...createMediaDeriving(deps),
    ...claiming(deps),
  }
}

function openFile(
  store: MediaStore,
  { file, bytes }: Pick<StoredFile, 'file' | 'bytes'>,
  asked?: string | null,
): OpenedFile | null {
  const range = rangeOf(asked, bytes)
  return range && { body: store.stream(file, range), range, partial: range.end - range.start + 1 < bytes }
}

function claiming({ db, now }: Deps): Pick<MediaFiles, 'check' | 'attach' | 'handOver'> {
  return {
    check: (owner, claims) => findClaimed(db, owner, claims),
    attach: (owner, claims) => db.transaction().execute((tx) => attach(tx, now(), owner, claims)),
    handOver: (under, member, claims) =>
      db
        .transaction()
        .execute((tx) => handOver(tx, now(), { under, registrant: { proof: under.proof, member }, claims })),
  }
}

async function upload(deps: Deps, request: Upload): Promise<Uploaded> {
  const { now, store, workers } = deps
  return store.withDrafts(async (newDraft) => {
    const processed = await processUpload(request, { now, newDraft, workers })
    return processed.ok ? keep(deps, request, processed.files) : processed
  })
}

/** Files before rows, both once there is room: a file without a row is swept, a row without its file would be shown. */
async function keep(deps: Deps, { owner, small = false }: Upload, files: readonly ProcessedFile[]): Promise<Uploaded> {
  const { db, now, store, box, writing } = deps
  const contentOf = ({ row, content }: ProcessedFile) => {
    if (!isKyc(row.purpose)) return content
    if ('path' in content) throw new Error('Papers are pictures, which are sealed in memory.')
    return box.seal(row.id, content)
  }
  const rows = files.map(({ row }) => row)
  const forms = files.flatMap((file) => file.forms)
  const stored = [
    ...files.map((file) => ({ id: file.row.id, content: contentOf(file) })),
    ...forms.map(({ row, content }) => ({ id: row.file, content })),
  ]
  let unused = stored.map(({ id }) => id)
  let refused: UploadError | null
  try {
    const write = () => writeFiles(store, stored)
    const keeping = { rows, forms: forms.map(({ row }) => row), write, at: now(), later: small }
    refused = await writing(() => keepWithinQuota(db, owner, keeping))
    if (!refused) unused = []
  } catch (error) {
    // Those that turn out to have no row are swept.
    if (error instanceof CommitUnknown) unused = []
    throw error
  } finally {
    await removeFiles(store, unused)
  }
  const [original] = rows
  return refused ?? (original ? { ok: true, media: toMedia(original) } : failed)
}

async function find(deps: Deps, id: string): Promise<Media | null> {
  const { db } = deps
  if (!ID_PATTERN.test(id)) return null
  const query = db.selectFrom('media').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
  const row = await query.executeTakeFirst()
  return row ? toMedia(row) : null
}
