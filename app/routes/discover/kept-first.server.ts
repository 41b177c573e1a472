import { MemberId } from '../../../domain/shared/ids.ts'
import { cookieOf, hostCookie } from '../../request/cookie.server.ts'

const cookie = hostCookie('__Host-back')

/** Whom the member brought back last in this browser, to be dealt before others; whoever else signs in here has nobody. */
export async function keptFirst(request: Request, member: MemberId): Promise<MemberId | null> {
  const [owner, back] = (await cookieOf(cookie, request))?.split('?') ?? []
  return owner === member ? (MemberId.safeParse(back).data ?? null) : null
}

export const keepFirst = (member: MemberId, back: MemberId): Promise<string> => cookie.serialize(`${member}?${back}`)
