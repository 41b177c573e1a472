import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { IconButton } from '../button.tsx'
import { Icon } from '../picture/icon.tsx'
import './toast.css'

export type ToastMessage = {
  text: string
  tone?: 'plain' | 'leaf' | 'petal' | 'alarm'
  /** What helps: the message stays until it is used, dismissed or taken away. */
  action?: { label: string; run: () => void }
}
/** `offline`: it was shown while the browser had no network. */
type Shown = ToastMessage & { id: number; offline: boolean }
/** Shows a message, and answers what takes it away before its time. */
type ShowToast = (message: ToastMessage) => () => void

const SHOWN_MS = 6_000
const ToastContext = createContext<ShowToast>(() => () => {})

/**
 * Shows a short message for six seconds, the same words once, with the action that one of them had, and has it read out.
 * What must not be missed belongs in a Banner.
 */
export function useToast(): ShowToast {
  return useContext(ToastContext)
}

function Toast({ toast, onClose }: { toast: Shown; onClose: (id: number) => void }) {
  const { action } = toast
  useEffect(() => {
    if (action) return
    const timer = setTimeout(() => onClose(toast.id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast.id, action, onClose])
  const act = () => {
    onClose(toast.id)
    action?.run()
  }
  return (
    <div className={`toast toast-${toast.tone ?? 'plain'}`}>
      {toast.tone === 'alarm' ? <Icon name="circle-alert" /> : null}
      <p>{toast.text}</p>
      {action ? (
        <button type="button" className="toast-action" onClick={act}>
          {action.label}
        </button>
      ) : null}
      <IconButton icon="x" label="Dismiss" onClick={() => onClose(toast.id)} />
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
      setToasts((all) => {
        const same = all.find(({ text }) => text === message.text)
        return [...all.filter((one) => one !== same).slice(-2), { ...same, ...shown }]
      })
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
