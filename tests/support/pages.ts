import type { AppLoadContext } from '@remix-run/node'
import { WebSocketServer } from 'ws'
import type { ShellMember } from '../../app/shell/shell.ts'
import { type HttpServer, type HttpServerOptions, startHttpServer } from '../../server/http/http-server.ts'
import { readPageForm } from '../../services/media/form.ts'
import type { MediaFiles } from '../../services/media/media.ts'

export const ANN: ShellMember = {
  id: '0123456789abcdefghij',
  firstName: 'Ann',
  avatarUrl: null,
  status: 'active',
  unread: { chat: 3, buzzes: 0, notifications: 120 },
}

const sockets = new WebSocketServer({ noServer: true })
/** A live connection that never sends anything: a page that meets none would complain on its console. */
const openAndSilent: NonNullable<HttpServerOptions['upgrades']>[string] = (incoming, socket, head) =>
  sockets.handleUpgrade(incoming, socket, head, () => undefined)

/** Pages that keep no file: a form of text alone. */
const withForm: MediaFiles['withForm'] = async (request, { purposes, uploads }, work) => {
  const newDraft = () => {
    throw new Error('These pages keep no file.')
  }
  return work(await readPageForm(request, { purposes, uploads, newDraft }))
}

/** The built pages that need no data, with the given member signed in; everything else of the context is missing. */
export function startPages(
  member: ShellMember | null,
  options: Partial<HttpServerOptions> = {},
  reportError: (error: unknown) => void = (error) => console.error(error),
): Promise<HttpServer> {
  return startHttpServer({
    host: '127.0.0.1',
    port: 0,
    mode: 'local',
    trustProxy: false,
    contextFor: (_request, client) =>
      ({
        nonce: client.nonce,
        mode: options.mode ?? 'local',
        now: () => new Date(),
        shell: async () => member,
        ip: client.ip,
        shown: () => null,
        epoch: () => undefined,
        behind: () => false,
        carried: async () => null,
        carriedOver: () => false,
        catchUp: async () => {},
        viewer: async () => null,
        bearer: async () => null,
        lookAgain: () => {},
        limits: { take: async () => ({ ok: true }) },
        media: { withForm },
        reportError,
      }) as unknown as AppLoadContext,
    onError: reportError,
    upgrades: { '/realtime': openAndSilent },
    ...options,
  })
}
