import { Link } from '@remix-run/react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { IconButton } from '../button.tsx'
import { Avatar } from '../picture/avatar.tsx'
import { Icon } from '../picture/icon.tsx'
import './toast.css'

export type ToastMessage = {
  text: string
  tone?: 'plain' | 'leaf' | 'petal' | 'alarm'
  /** Whom it is about. */
  face?: { name: string; photo: string | null }
  /** Where to go because of it. */
  action?: { label: string; to: string }
}
/** `offline`: it was shown while the browser had no network. */
type Shown = ToastMessage & { id: number; offline: boolean }
/** Shows a message, and answers what takes it away before its time. */
type ShowToast = (message: ToastMessage) => () => void

const SHOWN_MS = 6_000
const ToastContext = createContext<ShowToast>(() => () => {})

/**
 * Shows a short message for six seconds, the same words once, and has it read out. What must not be missed belongs in
 * a Banner.
 */
export function useToast(): ShowToast {
  return useContext(ToastContext)
}

/** Stays while a pointer or the focus is on it. */
function Toast({ toast, onClose }: { toast: Shown; onClose: (id: number) => void }) {
  const { id, text, tone = 'plain', face, action } = toast
  const [isUsed, setIsUsed] = useState(false)
  useEffect(() => {
    if (isUsed) return
    const timer = setTimeout(() => onClose(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, isUsed, onClose])
  const used = (is: boolean) => () => setIsUsed(is)
  const uses = { onPointerEnter: used(true), onPointerLeave: used(false), onFocus: used(true), onBlur: used(false) }
  return (
    <div className={`toast toast-${tone}`} {...uses}>
      {tone === 'alarm' ? <Icon name="circle-alert" /> : null}
      {face ? <Avatar name={face.name} src={face.photo} /> : null}
      <p>{text}</p>
      {action ? (
        <Link to={action.to} className="toast-action" onClick={() => onClose(id)}>
          {action.label}
        </Link>
      ) : null}
      <IconButton icon="x" label="Dismiss" onClick={() => onClose(id)} />
    </div>
  )
}

/** Holds the live region; in the root, around everything. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Shown[]>([])
  const lastId = useRef(0)
  const close = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), [])
  const show = useCallback<ShowToast>(
    (message) => {
      lastId.current += 1
      const shown = { ...message, id: lastId.current, offline: !navigator.onLine }
      setToasts((all) => [...all.filter(({ text }) => text !== message.text).slice(-2), shown])
      return () => close(shown.id)
    },
    [close],
  )
  useEffect(() => {
    const back = () => setToasts((all) => all.filter(({ tone, offline }) => tone !== 'alarm' || !offline))
    window.addEventListener('online', back)
    return () => window.removeEventListener('online', back)
  }, [])
  return (
    <ToastContext.Provider value={show}>
      {children}
      <div className="toasts" role="status">
        {toasts.map((toast) => (
          <Toast key={toast.id} toast={toast} onClose={close} />
        ))}
      </div>
    </ToastContext.Provider>
  )
}
