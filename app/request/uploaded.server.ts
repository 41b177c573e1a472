import { mediaUrl } from '../../services/media/media-url.ts'
import type { Media } from '../../services/media/records.ts'
import type { AppConfig } from '../../usecases/ports.ts'

/** An upload, for its owner: `url` is a path of ours, `secure_url` the same with the host (api-contract C71). */
export function uploaded({ publicUrl }: Pick<AppConfig, 'publicUrl'>, { id, kind }: Pick<Media, 'id' | 'kind'>) {
  const url = mediaUrl(id)
  return { ok: true as const, url, secure_url: new URL(url, publicUrl).href, id, kind }
}
