import type { MemberId } from '../../../domain/shared/ids.ts'
import type { DeckFilters } from '../../../projections/discover/filters.ts'
import { cookieOf, hostCookie, removed } from '../../request/cookie.server.ts'
import { deckFilters, searchOf } from './deck-filters.ts'

const cookie = hostCookie('__Host-filters')

/** What the member asked for last in this browser, as the search of an address; whoever else signs in here has none. */
export async function keptSearch(request: Request, member: MemberId): Promise<string> {
  const [owner, search] = (await cookieOf(cookie, request))?.split('?') ?? []
  return owner === member ? searchOf(deckFilters(new URLSearchParams(search))) : ''
}

export const keepFilters = (member: MemberId, filters: DeckFilters): Promise<string> =>
  cookie.serialize(`${member}?${searchOf(filters)}`)

export const forgetFilters = (): Promise<string> => removed(cookie)
