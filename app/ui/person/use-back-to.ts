import { useSearchParams } from '@remix-run/react'
import { isFromRoom, useRoomPath } from '../room-path.ts'

/** Where a page about what is done to a member leads back to: the room whose link led there, else their profile. */
export function useBackTo(member: string): string {
  const room = useRoomPath(member)
  return isFromRoom(useSearchParams()[0]) ? room : `/viewProfile/${member}`
}
