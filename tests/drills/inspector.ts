import WebSocket from 'ws'
import { until } from '../support/until.ts'

/** How a program is started whose engine is to be asked. */
export const inspectable = (port: number) => ({ NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}` })

export type Inspector = {
  /** The answer of the engine; rejects where its process ends before. */
  ask(method: string, params?: object): Promise<Answer>
  close(): void
}
type Answer = { readonly result?: { readonly value?: unknown } }

/** Speaks the protocol of developer tools with a running program that is inspectable at a port. */
export async function openInspector(pid: number, port: number): Promise<Inspector> {
  process.kill(pid, 'SIGUSR1')
  const list = () =>
    fetch(`http://127.0.0.1:${port}/json/list`).then(
      (answer) => answer.json(),
      () => null,
    )
  const [target] = (await until('the inspector answers', list)) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target!.webSocketDebuggerUrl)
  await new Promise((done, failed) => socket.once('open', done).once('error', failed))
  let asked = 0
  const ask = (method: string, params: object = {}) => {
    const id = asked++
    socket.send(JSON.stringify({ id, method, params }))
    return new Promise<Answer>((done, failed) => {
      socket.once('error', failed).once('close', () => failed(new Error('The program has ended.')))
      socket.on('message', (text) => {
        const message = JSON.parse(String(text))
        if (message.id === id) done(message.result)
      })
    })
  }
  return { ask, close: () => socket.close() }
}
