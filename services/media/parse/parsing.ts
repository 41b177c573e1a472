import type { MediaPurpose } from '../../../domain/shared/media.ts'
import type { Sniffed, UploadError } from '../kinds.ts'
import type { SealedFile } from '../sealed-draft.ts'
import type { Clip } from './clips.ts'
import type { Derived, Deriving } from './deriving.ts'
import type { Picture } from './images.ts'

/** What a worker process is given: where the file is and the key that unseals it, never its bytes. */
export type Parsing = {
  readonly file: SealedFile
  /** A picture of a video, made by the page. */
  readonly still: SealedFile | null
  readonly sniffed: Sniffed
  readonly purpose: MediaPurpose
  /** The side of the one form that is made, and of the blurred twin: the other ones are owed. */
  readonly only?: number
  /** The draft that a clip is copied into. */
  readonly to: string | null
}

/** A picture drawn anew, and blurred, but for papers shown for verification. */
export type ParsedPicture = { readonly ok: true; readonly picture: Picture; readonly blurred: Picture | null }
/** What is known of a clip that was copied; of a video, also its still. */
export type ParsedClip = {
  readonly ok: true
  readonly clip: Clip
  readonly still: { readonly picture: Picture; readonly blurred: Picture } | null
}
export type Parsed = ParsedPicture | ParsedClip | UploadError

/** What a worker process can be asked. */
export type Asked = Parsing | Deriving
export type AnswerTo<A extends Asked> = A extends Deriving ? Derived | UploadError : Parsed
/** `settled`: nothing of the file works or waits any more. `spentMs`: of processors. */
export type Answered<A extends Asked = Asked> = {
  readonly answer: AnswerTo<A>
  readonly settled: boolean
  readonly spentMs: number
}
