import { useEffect } from 'react'
import { errorIn, type FormReply } from '../../forms/reply.ts'
import { useToast } from './toast.tsx'

/**
 * For a form with no room for words beside it: a toast each time that it was refused, or not even tried, until the form has
 * another reply.
 */
export function useRefusalToast(reply: FormReply | undefined): void {
  const toast = useToast()
  useEffect(() => {
    const error = errorIn(reply)
    return error ? toast({ text: error, tone: 'alarm' }) : undefined
  }, [reply, toast])
}
