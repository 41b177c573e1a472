import { useEffect } from 'react'
import { errorIn, type FormReply } from '../../forms/reply.ts'
import { useToast } from './toast.tsx'

/** For a form with no room for words beside it: a toast each time that it was refused, or not even tried. */
export function useRefusalToast(reply: FormReply | undefined): void {
  const toast = useToast()
  useEffect(() => {
    const error = errorIn(reply)
    if (error) toast({ text: error, tone: 'alarm' })
  }, [reply, toast])
}
