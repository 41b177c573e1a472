import { useEffect, useRef } from 'react'
import { errorIn, type FormReply } from '../../forms/reply.ts'
import { useToast } from './toast.tsx'

/**
 * For a form with no room for words beside it: a toast each time that it was refused, or not even tried, until the form has
 * another reply. It outlives a form that goes with its refusal, such as the row of somebody who is gone.
 */
export function useRefusalToast(reply: FormReply | undefined): void {
  const toast = useToast()
  const shown = useRef<() => void>()
  useEffect(() => {
    shown.current?.()
    const error = errorIn(reply)
    shown.current = error ? toast({ text: error, tone: 'alarm' }) : undefined
  }, [reply, toast])
}
