import { holdAnswer, isRead } from './hold.ts'

type Body = { readonly body: Buffer; readonly rest: Buffer }
type Answer = Body & { readonly status: number; readonly headers: Headers }
/** `isOver`: nothing more comes. */
type Received = { readonly bytes: Buffer; readonly isOver: boolean }

const REQUEST = /^([A-Z]+) (\/\S*) HTTP\/1\.1\r?$/gm
const HEAD_END = '\r\n\r\n'

/**
 * Checks the whole answers that a connection to this port was given against `/openapi.json`, but for the first `checked`;
 * answers how many are checked then. `asked`: all that was sent over it.
 */
export async function holdRaw(port: number, asked: string, received: Received, checked = 0): Promise<number> {
  let { bytes } = received
  let count = 0
  for (const [, method = '', path] of asked.matchAll(REQUEST)) {
    const answer = answerIn({ ...received, bytes }, method)
    if (!answer) break
    const { status, headers, body } = answer
    bytes = answer.rest
    count++
    if (count <= checked) continue
    const text = isRead(headers) && !headers.has('Content-Encoding') ? body.toString() : null
    await holdAnswer({ url: `http://localhost:${port}${path}`, method, status, headers, text })
  }
  return Math.max(count, checked)
}

/** Null for one that is not whole, or is of another protocol. */
function answerIn({ bytes, isOver }: Received, method: string): Answer | null {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return null
  const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(line.split(' ')[1])
  const rest = bytes.subarray(end + HEAD_END.length)
  if (status === 101) return null
  if (status < 200) return answerIn({ bytes: rest, isOver }, method)
  const headers = new Headers(
    lines.map((one): [string, string] => [one.replace(/:.*/s, ''), one.replace(/^[^:]*:/, '').trim()]),
  )
  const isEmpty = method === 'HEAD' || status === 204 || status === 304
  const body = isEmpty ? { body: Buffer.alloc(0), rest } : bodyIn({ bytes: rest, isOver }, headers)
  return body && { status, headers, ...body }
}

function bodyIn({ bytes, isOver }: Received, headers: Headers): Body | null {
  if (headers.get('Transfer-Encoding') === 'chunked') return chunksIn(bytes)
  const announced = headers.get('Content-Length')
  if (announced === null) return isOver ? { body: bytes, rest: Buffer.alloc(0) } : null
  const length = Number(announced)
  return bytes.length < length ? null : { body: bytes.subarray(0, length), rest: bytes.subarray(length) }
}

function chunksIn(bytes: Buffer): Body | null {
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const from = line + 2
    const next = from + size + 2
    if (line < 0 || next > bytes.length) return null
    if (size === 0) return { body: Buffer.concat(pieces), rest: bytes.subarray(next) }
    pieces.push(bytes.subarray(from, from + size))
    at = next
  }
}
