import { useParams, useSearchParams } from '@remix-run/react'
import { NEWEST } from '../request/newest.ts'
import { useHydrated } from './use-hydrated.ts'

/** What names the page of the matches beside a room. */
const OF_THE_LIST = new Set(['q', 'after'])

/** The address of the matches, at the page that `search` names. */
export function matchesPath(search: URLSearchParams): string {
  return `/chat${queryOf(ofTheList(search))}`
}

/** The address of a room, beside the page of the matches that `search` names; `asked` is one parameter more. */
export function roomPath(id: string, search: URLSearchParams, asked?: [name: string, value: string]): string {
  return `/chat/${id}${queryOf([...ofTheList(search), ...(asked ? [asked] : [])])}`
}

/** The same from the page at hand, at the newest message: with script a room goes there by itself. */
export function useRoomPath(id: string): string {
  const [search] = useSearchParams()
  const hydrated = useHydrated()
  return roomPath(id, search) + (hydrated ? '' : `#${NEWEST}`)
}

/** The first page of all matches, beside the room that is open. */
export function useListPath(): string {
  const { userId } = useParams()
  const hydrated = useHydrated()
  if (!userId) return '/chat'
  return hydrated ? `/chat/${userId}` : `/chat/${userId}#${NEWEST}`
}

/** Of the address that a room's link leads to: its way back leads to the room. */
export const FROM_ROOM = 'from=chat'
export const isFromRoom = (search: URLSearchParams) => search.get('from') === 'chat'

/** More than is searched for, or names a page: each row of a list has them in its link. */
const VALUE_LENGTH = 100

const ofTheList = (search: URLSearchParams) =>
  [...search].filter(([name]) => OF_THE_LIST.has(name)).map(([name, value]) => [name, value.slice(0, VALUE_LENGTH)])

function queryOf(entries: string[][]): string {
  const query = new URLSearchParams(entries).toString()
  return query && `?${query}`
}
