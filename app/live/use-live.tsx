import { createContext, type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import {
  type EventFrame,
  type EventName,
  type LiveSignals,
  REALTIME_PATH,
  type SignalName,
} from '../../realtime/protocol.ts'
import { LiveConnection, type LiveState } from './connection.ts'
import { Outbox } from './outbox.ts'
import { noteSeen, Reloading } from './reloading.ts'

/** `member`: whose they are. */
type Live = { readonly member: string; readonly connection: LiveConnection; readonly outbox: Outbox }
const LiveContext = createContext<Live | null>(null)

export type LiveProviderProps = {
  /** The signed-in member; null for visitors, who get no connection. */
  member: string | null
  /** The position in the log that the root loader's data was read at. */
  pos: string | null
  /** The life of the log that it is of. */
  epoch?: string | undefined
  /** Reads the loaders of the page again. */
  revalidate: () => void
  /** They are being read. */
  busy: boolean
  /** For tests. */
  open?: (url: string) => WebSocket
  children: ReactNode
}

/**
 * One connection for the page, mounted once in the root. Every event makes the loaders run again, soon and together:
 * they stay the only readers; a push brings words for chat alone.
 */
export function LiveProvider({ member, pos, epoch, revalidate, busy, open, children }: LiveProviderProps) {
  const given = { pos, epoch, revalidate, open }
  const latest = useRef(given)
  latest.current = given
  const [live, setLive] = useState<Live | null>(null)
  const reloading = useRef<Reloading | null>(null)

  useEffect(() => reloading.current?.update(busy, pos), [busy, pos])
  useEffect(() => {
    if (member === null) return
    const page = new Reloading(() => latest.current.revalidate())
    page.update(false, latest.current.pos)
    const connection = new LiveConnection({
      url: `${window.location.origin.replace(/^http/, 'ws')}${REALTIME_PATH}`,
      from: latest.current.pos,
      epoch: latest.current.epoch,
      reload: () => page.whole(),
      signedOut: () => page.over(),
      waits: () => document.visibilityState === 'hidden' || !navigator.onLine,
      ...(latest.current.open && { open: latest.current.open }),
    })
    const outbox = new Outbox(connection)
    const stops = [connection.on('event', (event) => announce(event, page)), listen(connection)]
    reloading.current = page
    setLive({ member, connection, outbox })
    connection.start()
    if (!navigator.onLine) connection.offline()
    return () => {
      for (const stop of stops) stop()
      outbox.close()
      connection.stop()
      page.stop()
      reloading.current = null
      setLive(null)
    }
  }, [member])

  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>
}

/** The spec's window events, and the loaders (spec 1 §7). */
function announce(event: EventFrame, page: Reloading): void {
  if (event.name === 'notification') window.dispatchEvent(new CustomEvent('notification:new', { detail: event.data }))
  if (event.name === 'direct:message') window.dispatchEvent(new CustomEvent('direct:message', { detail: event.data }))
  noteSeen(event.pos)
  page.soon(event.pos)
}

/** The browser's news of the network, and of pages that come back from its cache or are looked at again. */
function listen(connection: LiveConnection): () => void {
  // As the options of a listener, its signal takes that off again.
  const stop = new AbortController()
  const away = () => connection.offline()
  const back = () => connection.nudge()
  const on = { offline: away, pagehide: away, online: back, pageshow: back }
  for (const [name, handler] of Object.entries(on)) window.addEventListener(name, handler, stop)
  document.addEventListener('visibilitychange', back, stop)
  return () => stop.abort()
}

/** The connection and the outbox of the page; null for visitors, on the server, and before the page is awake. */
export const useLive = (): Live | null => useContext(LiveContext)

/** Calls the handler for each event of this name that reaches the page, once. */
export function useLiveEvent<N extends EventName>(name: N, handler: (event: EventFrame<N>) => void): void {
  const live = useLive()
  const latest = useRef(handler)
  latest.current = handler
  useEffect(() => live?.connection.on(name, (event) => latest.current(event as unknown as EventFrame<N>)), [live, name])
}

/** Calls the handler for each passing signal: typing, presence. */
export function useLiveSignal<N extends SignalName>(name: N, handler: (data: LiveSignals[N]) => void): void {
  const live = useLive()
  const latest = useRef(handler)
  latest.current = handler
  useEffect(() => live?.connection.on(name, (data) => latest.current(data as unknown as LiveSignals[N])), [live, name])
}

/** The state of the connection, for a quiet hint that the page may be behind. */
export function useConnectionState(): LiveState {
  const live = useLive()
  return useSyncExternalStore(
    (changed) => live?.connection.on('state', changed) ?? (() => undefined),
    () => live?.connection.state ?? 'idle',
    () => 'idle',
  )
}
