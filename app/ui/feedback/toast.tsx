import { Link, useLocation } from '@remix-run/react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { useShellMember } from '../../shell/use-shell.ts'
import { IconButton } from '../button.tsx'
import { Avatar } from '../picture/avatar.tsx'
import { Icon } from '../picture/icon.tsx'
import './toast.css'

type ToastAction = { label: string } & ({ to: string } | { to?: never; run: () => void })
export type ToastMessage = {
  text: string
  tone?: 'plain' | 'leaf' | 'petal' | 'alarm'
  /** Whom it is about. */
  face?: { name: string; photo: string | null }
  /** Where to go because of it, or what helps: with that the message stays until it is used, dismissed or taken away. */
  action?: ToastAction
}
/** `offline`: it was shown while the browser had no network. */
type Shown = ToastMessage & { id: number; offline: boolean }
/** Shows a message, and answers what takes it away before its time. */
type ShowToast = (message: ToastMessage) => () => void

const SHOWN_MS = 6_000
const stays = ({ action }: ToastMessage) => action && 'run' in action
let lastId = 0
const ToastContext = createContext<ShowToast>(() => () => {})

/**
 * Shows a short message for six seconds, the same words once, with the action that one of them had, and has it read out.
 * What must not be missed belongs in a Banner.
 */
export function useToast(): ShowToast {
  return useContext(ToastContext)
}

function Action({ action, onUsed }: { action: ToastAction; onUsed: () => void }) {
  const { label } = action
  if (action.to !== undefined) {
    return (
      <Link to={action.to} className="toast-action" onClick={onUsed}>
        {label}
      </Link>
    )
  }
  const act = () => {
    onUsed()
    action.run()
  }
  return (
    <button type="button" className="toast-action" onClick={act}>
      {label}
    </button>
  )
}

/** Stays while a pointer or the focus is on it. */
function Toast({ toast, onClose }: { toast: Shown; onClose: (id: number) => void }) {
  const { id, text, tone = 'plain', face, action } = toast
  const isKept = stays(toast)
  const [isUsed, setIsUsed] = useState(false)
  useEffect(() => {
    if (isUsed || isKept) return
    const timer = setTimeout(() => onClose(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, isUsed, isKept, onClose])
  const used = (is: boolean) => () => setIsUsed(is)
  const uses = { onPointerEnter: used(true), onPointerLeave: used(false), onFocus: used(true), onBlur: used(false) }
  return (
    <div className={`toast toast-${tone}`} {...uses}>
      {tone === 'alarm' ? <Icon name="circle-alert" /> : null}
      {face ? <Avatar name={face.name} src={face.photo} /> : null}
      <p>{text}</p>
      {action ? <Action action={action} onUsed={() => onClose(id)} /> : null}
      <IconButton icon="x" label="Dismiss" onClick={() => onClose(id)} />
    </div>
  )
}

/** Holds the live region; in the root, around everything. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Shown[]>([])
  const whose = useShellMember()?.id
  const here = useLocation().pathname
  const close = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), [])
  const show = useCallback<ShowToast>(
    (message) => {
      lastId += 1
      const shown = { ...message, id: lastId, offline: !navigator.onLine }
      setToasts((all) => {
        const same = all.find(({ text }) => text === message.text)
        return [...all.filter((one) => one !== same).slice(-2), { ...same, ...shown }]
      })
      return () => close(shown.id)
    },
    [close],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: what one member was shown is on no page of another one.
  useEffect(() => {
    const back = () => setToasts((all) => all.filter((one) => one.tone !== 'alarm' || !one.offline || stays(one)))
    window.addEventListener('online', back)
    return () => {
      window.removeEventListener('online', back)
      setToasts([])
    }
  }, [whose])
  return (
    <ToastContext.Provider value={show}>
      {children}
      <div className="toasts" role="status">
        {/* Whoever is there already needs no way to it. */}
        {toasts.map((toast) => toast.action?.to !== here && <Toast key={toast.id} toast={toast} onClose={close} />)}
      </div>
    </ToastContext.Provider>
  )
}
