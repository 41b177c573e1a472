import { useActionData, useLocation } from '@remix-run/react'
import { useState } from 'react'
import { useRoot } from './use-shell.ts'

/**
 * What a plain form of this page came to, by its action, or what it brought through the login where its session was over:
 * that stays while the page does.
 */
export function useSentReply<Action>() {
  const { pathname } = useLocation()
  const carried = useRoot()?.carried
  const [brought] = useState(carried?.path === pathname ? carried.reply : undefined)
  return useActionData<Action>() ?? (brought as ReturnType<typeof useActionData<Action>>)
}
